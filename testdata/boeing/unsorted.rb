Rows in any order, one given twice                                      unsorted
             3             1             1             1
rua                        3             3             4             0
(4I2)           (4I2)           (4F4.1)             
 1 4 4 5
 3 1 3 2
 1.0 2.0 4.0 8.0
