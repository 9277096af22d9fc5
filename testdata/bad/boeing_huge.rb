The worked example of the manual                                        worked  
             3             1             1             1
rra                        3             1 4000000000000000000             0
(1I20)          (1I3)           (5F4.1)             
                   1
 4000000000000000001
  1
