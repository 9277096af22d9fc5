No entries, three columns                                               empty   
             1             1             0             0
rra                        2             3             0             0
(4I2)           (4I2)           (4F4.1)             
 1 1 1 1
