Decimals that the format adds                                           scaled  
             3             1             1             1
rua                        2             2             4             0
(3I2)           (4I2)           (2P,4F8.3)          
 1 3 5
 1 2 1 2
   12345    12.5  1.25E1       0
