Columns narrower than the format says, as SciPy 1 writes them           narrow  
             3             1             1             1
RUA                        2             2             3             0
(3I2)           (3I2)           (3E13.4)            
 1 3 4
 1 2 2
 -2.1369E+01  8.4895E-10 -5.4094E+05
