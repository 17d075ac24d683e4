/** Colors and fonts that the server's own pages share. They follow the light or dark setting of the user. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;
--ground:light-dark(#fbfaf8,#16161a);--raised:light-dark(#ffffff,#1f1f25);--line:light-dark(#e4e0da,#33333c);
--text:light-dark(#1f1d1a,#ecebe8);--quiet:light-dark(#6b665e,#a19d96);--accent:light-dark(#8a4b14,#e8a265);
--get:light-dark(#1c6b48,#69c497);--post:light-dark(#1d568f,#7db4ea);--put:light-dark(#7a5a0a,#d9b24c);--delete:light-dark(#a12c2c,#ef8d86);
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
h1,h2,h3,h4,p{margin:0}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
code,pre{font-family:var(--mono);font-size:13px}
pre{margin:0;padding:12px 14px;overflow:auto;background:var(--raised);border:1px solid var(--line);border-radius:8px;line-height:1.5}
code{overflow-wrap:anywhere}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.quiet{color:var(--quiet)}
button{font:inherit;font-size:12px;color:var(--quiet);background:var(--raised);border:1px solid var(--line);border-radius:6px;padding:3px 9px;cursor:pointer}
button:hover{color:var(--text);border-color:var(--quiet)}
.code{position:relative}.code button{position:absolute;top:8px;right:8px}
`;

/** Shows the address of this server in the samples, and copies samples. */
export const PAGE_SCRIPT = `
const base=location.href.replace(/[?#].*$/,'').replace(/\\/(docs)?$/,'');
if(location.protocol.startsWith('http'))for(const element of document.querySelectorAll('.base'))element.textContent=base;
for(const box of document.querySelectorAll('.code')){
const button=document.createElement('button');button.type='button';button.textContent='Copy';
button.addEventListener('click',async()=>{
const text=box.querySelector('pre').textContent;
try{await navigator.clipboard.writeText(text)}catch{
const range=document.createRange();range.selectNodeContents(box.querySelector('pre'));
const selection=getSelection();selection.removeAllRanges();selection.addRange(range);document.execCommand('copy')}
button.textContent='Copied';setTimeout(()=>{button.textContent='Copy'},1500)});
box.append(button)}
`;

/** Placeholder in samples until the script inserts the address. */
export const BASE = '<span class="base">http://localhost:6006</span>';
