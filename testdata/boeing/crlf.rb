The worked example of the manual                                        crlf    
             3             1             1             1
rra                        3             4             5             0
( 5 I 6 )       (5I6.6)         (1P, 5 D12.5E2)     
     1     2     3     5     6
     1     2     1     2     3
 1.00000D+00 3.00000D+00 2.00000D+00 4.00000D+00 5.00000D+00
