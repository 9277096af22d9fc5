Integers, one of which no double holds                                  integers
             3             1             1             1
iua                        2             2             3             0
(3I2)           (3I2)           (3I20)              
 1 3 4
 1 2 2
                 -17    9007199254740992    9007199254740993
