The worked example of the manual                                        worked  
             3             1             1             1
pza                        4             4             5             0
(5I3)           (5I3)           (5F4.1)             
