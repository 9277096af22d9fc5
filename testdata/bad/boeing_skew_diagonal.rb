The worked example of the manual                                        worked  
             3             1             1             1
rza                        2             2             2             0
(5I3)           (5I3)           (5F4.1)             
  1  2  3
  2  2
 1.0 3.0
