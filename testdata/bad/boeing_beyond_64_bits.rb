The worked example of the manual                                        worked  
             3             1             1             1
rra                        3             4 10000000000000000000             0
(5I3)           (5I3)           (5F4.1)             
  1  2  3  5  6
