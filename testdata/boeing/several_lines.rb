The worked example of the manual, two numbers a line                    lines   
             9             3             3             3
rra                        3             4             5             0
(2I3)           (2i3)           (2e9.1)             
  1  2
  3  5
  6
  1  2
  1  2
  3
  1.0E+00  3.0E+00
  2.0E+00  4.0E+00
  5.0E+00
