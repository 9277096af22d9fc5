The worked example of the manual                                        worked  
             3             1             1             1
cha                        2             2             1             0
(5I3)           (5I3)           (5F4.1)             
  1  2  2
  1
 1.0 3.0
