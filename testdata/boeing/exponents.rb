Exponents as Fortran writes them, the long ones without a letter        exponent
             4             1             1             2
rua                        3             3             9             0
(4I3)           (9I2)           (5E14.6)            
  1  4  7 10
 1 2 3 1 2 3 1 2 3
  1.500000-300  2.500000+123  1.25D+02      0.5e-1        -.5E2       
  1.0q+1       1.E5          +7.0D0       -0.0E+00     
