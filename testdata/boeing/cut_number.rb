The worked example of the manual                                        worked  
             3             1             1             1
rra                        3             4             5             0
(5I3)           (5I3)           (5F5.1)             
  1  2  3  5  6
  1  2  1  2  3
  1.0  3.0  4.0  2.0-12.