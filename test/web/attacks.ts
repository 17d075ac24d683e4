/** Texts that do harm where they become HTML, addresses or styles. */
export const ATTACKS = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(2)</script>',
  '[link](javascript:alert(3)) ![image](https://elsewhere.example/pixel.png)',
  "'};alert(4);//",
  '<svg/onload=alert(5)><style>*{display:none}</style>',
  '</textarea><iframe src="https://elsewhere.example"></iframe>',
  '{{constructor.constructor("alert(6)")()}}',
  '\u202e\u0000<b>right to left</b>',
];
