The worked example of the manual                                        worked  
             3             1             1             1
rra                        3             4             5             0
