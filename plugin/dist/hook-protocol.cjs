var{existsSync:Se,constants:A,openSync:_,fstatSync:x,lstatSync:Q,readFileSync:v,closeSync:S,readSync:C,readdirSync:ke,realpathSync:Oe,writeSync:w,statSync:W,rmSync:z,renameSync:be}=require("node:fs");var{join:l,dirname:$,sep:h,isAbsolute:ee,resolve:Ee,basename:ye}=require("node:path"),k=e=>typeof e=="string";var D=e=>Number.isSafeInteger(e)&&Number(e)>=0,E=e=>Number.isFinite(e)&&Number(e)>=0;function Ae(...e){return t=>e.some(n=>n===t)}function xe(e){return t=>t===null||e(t)}function Ie(e){return t=>t===void 0||e(t)}function J(e){let t=null;return()=>(t??={value:e()}).value}function j(e){return t=>c(t)&&Ne(t,e)}function Ne(e,t){for(let n in t)if(t[n]?.(e[n])!==!0)return!1;return!0}function c(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)}function te(e,t){let n=e[t];return c(n)?n:{}}function Le(e){return Array.isArray(e)?e.filter(c):[]}function u(e,t){let n=e[t];return k(n)?n:""}function M(e,t){try{let n=JSON.parse(t??"null");return e(n)?n:null}catch{return null}}function Te(e,t){return F(()=>M(e,t()),null)}function Pe(e){return k(e)&&e!==""?e:null}var Re=/^[A-Za-z0-9_-]{1,128}$/,K=e=>k(e)&&Re.test(e);function F(e,t){try{return e()}catch{return t}}function ne(e){return e instanceof Error&&"code"in e?String(e.code):String(e)}var re=Ce(__dirname),cr=l(re,"dist","cli.cjs"),O=l(re,"plugin"),we=l(O,"dist","runner.cjs"),$e=l(O,"dist","sender.cjs"),pr=l(O,"dist","hook.cjs"),dr=l(O,"dist","acp.cjs"),mr=l(O,"dist","mcp.cjs");function Ce(e){for(let t=e;$(t)!==t;t=$(t))if(Se(l(t,"package.json")))return t;return e}function De(e,t,n){return n.includes("--json")&&process.stdout.write(`${JSON.stringify({error:e,next:t,exit:1})}
`),process.stderr.write(`error: ${e}
next: ${t}
`),1}var je={is:"silence"},N={stdout:"",stderr:"",exit:0},f=e=>t=>(...n)=>require(e)[t](...n),d=f("./rest.cjs"),Me=d("hearCommand"),Fe=d("hearSessionStart"),Ue=d("hearSessionEnd"),He=d("hearFault"),Be=d("hearLateStop"),Ge=d("hearPrompt"),oe=f("./stop.cjs"),We=oe("hearStop"),b=f("./guard.cjs"),ze=b("hearTool"),Je="tools-",Ke={resume:"dacapo resume",cancel:"dacapo cancel",approve:"dacapo approve",reject:"dacapo reject",answer:"dacapo answer"},Xe=/<(\/?)(promise|loop-done|issue-complete|grind-done)(?=[\s>/])/gi;function qe(e){let t=new RegExp("(?![\\t\\n])\\p{Cc}(?:\\[[0-9;?]*[ -/]*[@-~])?|[\\u202A-\\u202E\\u2066-\\u2069]","gu");return e.replace(/\r\n?/g,`
`).replace(t,"").replace(Xe,"\u2039$1$2")}function Ye(e,t){let n=qe(e).replace(/\s+/g," ").trim();return n.length>t?`${Ve(n,t-1)}\u2026`:n}function Ve(e,t){return e.slice(0,t).replace(/[\uD800-\uDBFF]$/,"")}var fr="`".repeat(8),gr={s:1e3,m:6e4,h:36e5,d:24*36e5,w:168*36e5};function L(e,t){return e===t||e.startsWith(t.endsWith(h)?t:t+h)}function se(e){try{return process.kill(e,0),!0}catch(t){return ne(t)==="EPERM"}}function Ze(e){return e.DACAPO_DISABLE==="1"||e.IDLE_LOOP_DISABLE==="1"}function Qe(e){return e.DACAPO_DRIVEN==="1"}var hr=`${Je}of-`;function et(e,{store:t}){t.once.isNews(`${e} hook`)}var tt=d("withViewErrors");var U=A.O_RDONLY|(A.O_NONBLOCK??0),nt=U|(A.O_NOFOLLOW??0),X=16*1024*1024,rt="\uFFFD",ot=["EBUSY","EMFILE","ENFILE","EAGAIN","ETXTBSY"];function st(e,t=nt){let n;try{n=_(e,t)}catch(o){let r=ne(o);return r==="ENOENT"?{is:"gone"}:{is:"unreadable",why:r,passing:ot.includes(r)}}try{let o=x(n);if(!o.isFile()||!A.O_NOFOLLOW&&Q(e).isSymbolicLink())return{is:"unreadable",why:"not a regular file",passing:!1};if(o.size>X)return{is:"unreadable",why:`larger than ${X/1024/1024} MB`,passing:!1};let r=v(n,"utf8"),s=r.includes(rt)?it(n,o.size):null;return{is:"content",content:r,get bytes(){return s??Buffer.from(r)},modifiedMs:o.mtimeMs}}finally{S(n)}}function it(e,t){let n=Buffer.alloc(t);return n.subarray(0,C(e,n,0,t,0))}function at(e,t){return lt(e,n=>Math.max(0,n-t)).toString()}function lt(e,t){let n=null;try{n=_(e,U);let o=x(n),r=t(o.size),s=Buffer.alloc(o.isFile()?Math.max(0,o.size-r):0);return s.subarray(0,C(n,s,0,s.length,r))}catch{return Buffer.alloc(0)}finally{n!==null&&S(n)}}var ut=4*1024*1024;function ct(e,t){let n=_(e,U);try{let{size:o}=x(n),r=Math.max(o<t?0:t,o-ut),s=Buffer.allocUnsafe(o-r),i=s.toString("latin1",0,C(n,s,0,s.length,r));return{rows:i.slice(0,i.lastIndexOf(`
`)+1),from:r}}finally{S(n)}}var pt=/^loop_id: "?([\w.-]+)/m,dt=/^session_id: "?([\w.-]+)/m;function mt(e){let t=e.slice(0,e.indexOf(`
---`,3));return{loop:pt.exec(t)?.[1]??null,session:dt.exec(t)?.[1]??null}}var H=".claude",ft=`${H}${h}ralph-loop.local.md`,_r=`${H}/data/ralph-loops/current`,vr=`${H}/idle-loop.local.md`;async function gt(e,t,n){e.is==="tool"&&e.starts&&et(e.from.session,n());let o=t.sessions.find(e.from.session);if(_t(e,o,t))return je;let r=n(),s=[],i=await ht(e,o,{...r,onViewError:(a,p)=>s.push({what:a,why:p})});return s.length===0?i:tt(i,s,e,r)}async function ht(e,t,n){switch(e.is){case"stop":return(e.rest?Be:We)(e,n,t);case"tool":return ze(e,n);case"prompt":return Ge(e,n);case"command":return Me(e,n);case"session-start":return Fe(e,n);case"session-end":return Ue(e,n);case"fault":return He(e,n)}}function _t(e,t,n){if(t!==null)return!1;switch(e.is){case"stop":return!vt(e.from,n);case"command":return!1;case"session-start":return e.source!=="clear";case"prompt":return!n.ready.any();case"session-end":case"fault":case"tool":return!0}}function vt({project:e,session:t},{sessions:n}){let o=l(e,ft);if(Q(o,{throwIfNoEntry:!1})===void 0)return!1;let r=st(o);if(r.is!=="content")return r.is==="unreadable";let{loop:s,session:i}=mt(r.content);return s===null||i===null||i===t||n.find(i)?.loop!==s}var St=12;function kt(e){let t=l(e,h);return{dir:e,loops:`${t}loops`,sessions:`${t}sessions`,ready:`${t}ready`,announced:`${t}announced`,tasks:`${t}tasks`,trust:`${t}trust.json`,hooks:`${t}hooks.json`,config:`${t}config.json`,machine:`${t}machine`,log:`${t}hook.log`}}function B(e,t){return kt(Ot(e,t))}function Ot(e,t){let n=e.DACAPO_HOME??"";return ee(n)?n:bt(e,t)}function bt(e,t){let n=e.HOME||e.USERPROFILE||process.getBuiltinModule("node:os").homedir();return l(Et(n,e,t),"dacapo")}function Et(e,t,n){if(n==="win32")return t.LOCALAPPDATA||l(e,"AppData","Local");if(n==="darwin")return l(e,"Library","Application Support");let o=t.XDG_STATE_HOME??"";return o.startsWith("/")?o:l(e,".local","state")}function yt(e){return e instanceof Error&&"code"in e&&(e.code==="ENOENT"||e.code==="ENOTDIR")}function G(e){return ie(()=>v(e,"utf8"),null)}function At(e){return ie(()=>ke(e),[])}function ie(e,t){try{return e()}catch(n){if(yt(n))return t;throw n}}function xt(e,t){let n=e.DACAPO_HOME??"";if(n==="")return null;if(!ee(n))return"is a relative path";let o=Ee(n),r=y(o),s=t&&y(t);return[o,r].some(i=>L(i,"/proc"))?"leads into /proc":s&&L(r,s)&&!L(y(e.HOME??"/"),s)?`is in the project ${s}`:null}function It(e){xt(process.env,e)!==null&&delete process.env.DACAPO_HOME}function y(e){try{return Oe.native(e)}catch{return l(y($(e)),ye(e))}}function Nt({machine:e}){let t=G(e);return t?.length===St?t:null}function Lt({sessions:e},t){let n=j({loop:K,process:xe(D),project:k});return K(t)?M(n,G(`${e}${h}${t}`)):null}function Tt({ready:e}){return At(e).length>0}var ae=1048576,Pt=1e4;function le(e,t){return n=>{try{Rt(e,`${t()} ${n}
`)>ae&&wt(e)}catch{}}}function Rt(e,t){let n=_(e,"a",384);try{return w(n,t),x(n).size}finally{S(n)}}function wt(e){let t=`${e}.lock`,n=W(t,{throwIfNoEntry:!1});n!==void 0&&Date.now()-n.mtimeMs>Pt&&z(t,{force:!0}),S(_(t,"wx",384));try{W(e).size>ae&&be(e,`${e}.1`)}finally{z(t,{force:!0})}}function $t(e){return Ct(e.CLAUDE_PLUGIN_ROOT===void 0?"project":"plugin")}function Ct(e){let t=e==="project"?"/":"/dacapo:";return{resume:`${t}resume-ralph`,cancel:`${t}cancel-ralph`,approve:`${t}approve-ralph`,reject:`${t}reject-ralph`,answer:`${t}answer-ralph`}}var ue="CLAUDE_PROJECT_DIR";function ce(e,...t){return l(e.HOME??e.USERPROFILE??"",...t)}var Dt={name:"opencode",title:"OpenCode",word:"opencode",tool:"bash",signs:["OPENCODE"],own:/^OPENCODE(?:_PID)?$/,home:e=>l(e.XDG_CONFIG_HOME||ce(e,".config"),"opencode"),folder:".opencode",ground:["opencode.json","opencode.jsonc","plugin","plugins","tool","tools","../opencode.json","../opencode.jsonc"],sessions:"../../.local/share/opencode"},jt={name:"pi",title:"pi",word:"pi",tool:"bash",signs:["PI_CODING_AGENT"],own:/^PI_CODING_AGENT$/,home:e=>e.PI_CODING_AGENT_DIR||ce(e,".pi","agent"),folder:".pi",ground:["settings.json","extensions"],sessions:"sessions"},pe={name:"json"};function Mt(e){return e[ue]||null}var Ft={401:"auth",402:"billing",403:"permission",404:"model"};function Ut(e){return Ft[e??0]}var Ht={billing_error:"billing",authentication_failed:"auth",oauth_org_not_allowed:"auth",account_on_hold:"auth",verification_required:"auth",cloud_credential_error:"auth",model_not_found:"model"},Bt=f("./host.cjs"),Gt=Bt("commandOf"),Wt=b("actsOf"),zt=b("callOf"),Jt=b("speechOf"),Kt=/^\s*<(task-notification|system-reminder|local-command|command-)/,Xt=/^\s*\/(?:dacapo:)?(?:ralph|(?:cancel|resume|approve|reject|answer)-ralph|ralph-status)(?:\s|$)/;var qt=b("hostGround"),Yt=/^(?:.*\/)?(?:(?:[a-z-]+\.)*anthropic\.)?/,Vt=/\[[^\]]*\]$/,Zt=/(?:[-@](?:latest|preview(?:-\d\d-\d{2,4})?|\d{4}-\d\d-\d\d|\d{8})|(?<=\d)-v1(?::\d)?)+$/;function Qt(e){return e.toLowerCase().replace(Yt,"").replace(Vt,"").replace(Zt,"").replaceAll(".","-")}var en=`
0.4 0.4 0.4 ada text-ada-001
0.5 0.5 0.5 babbage
5 15 5 chatgpt-4o
8 24 8 claude-2 claude-v1 claude-v2
0.8 4 0.08 claude-3-5-haiku
3 15 0.3 claude-3-5-sonnet claude-3-7-sonnet claude-3-sonnet claude-4-sonnet claude-sonnet-3-7 claude-sonnet-4
3 15 0.3 claude-sonnet-4-0 claude-sonnet-4-2025 claude-sonnet-4-5 claude-sonnet-4-6 kimi-k3
0.25 1.25 0.03 claude-3-haiku
15 75 1.5 claude-3-opus claude-4-opus claude-opus-4 claude-opus-4-0 claude-opus-4-1
1 5 0.1 claude-4-5-haiku claude-haiku-4-5
5 25 0.5 claude-4-5-opus claude-4-6-opus claude-4-7-opus claude-4-8-opus claude-5-0-opus claude-5-opus
5 25 0.5 claude-opus-4-5 claude-opus-4-6 claude-opus-4-7 claude-opus-4-8 claude-opus-5 claude-opus-5-0
2 10 0.2 claude-5-0-sonnet claude-5-sonnet claude-sonnet-5 claude-sonnet-5-0 gpt-6-sol
4 20 0.2 claude-5-5-opus claude-opus-5-5
10 50 1 claude-fable-5 gpt-6-astra
10 50 0.25 claude-fable-5-1
0.3 0.9 0.3 codestral codestral-2501
0.3 0.9 0.03 codestral-2508
1.5 6 0.375 codex-mini
3 12 3 computer-use
2 2 2 curie text-curie-001
20 20 20 davinci text-davinci-001 text-davinci-002 text-davinci-003
0.27 1.1 0.07 deepseek-chat deepseek-chat-v3-0324
0.55 2.19 0.14 deepseek-r1 deepseek-r1-0528 deepseek-reasoner
0.27 0.95 0.13 deepseek-v3-1-terminus
0.2288 0.3432 0.2288 deepseek-v3-2
0.27 0.41 0.27 deepseek-v3-2-exp
0.44 1.32 0.014 deepseek-v4-flash
1.32 3.96 0.044 deepseek-v4-pro
0.4 2 0.04 devstral-2512 mistral-medium mistral-medium-2505 mistral-medium-2508 mistral-medium-3-1
0.1 0.3 0.1 devstral-small devstral-small-2505 devstral-small-2507 labs-devstral-small-2512 mistral-small
0.125 0.375 0.125 gemini-1-0-pro gemini-1-0-pro-vision-001 gemini-pro
0.075 0.3 0.01875 gemini-1-5-flash gemini-flash-1-5
1.25 5 1.25 gemini-1-5-pro gpt-4o-mini-transcribe
0.1 0.4 0.025 gemini-2-0-flash gemini-2-0-flash-0 gemini-2-0-flash-exp gemini-2-0-flash-thinking gpt-4-1-nano
0.075 0.3 0.075 gemini-2-0-flash-lite
0.3 2.5 0.03 gemini-2-5-flash gemini-3-5-flash-lite
0.1 0.4 0.01 gemini-2-5-flash-lite voxtral-small voxtral-small-24b-2507 voxtral-small-2507
0.5 10 0.5 gemini-2-5-flash-lite-preview-tts gemini-2-5-flash-preview-tts gemini-2-5-flash-tts
1.25 10 0.125 gemini-2-5-pro gpt-5 gpt-5-1 gpt-5-1-chat gpt-5-1-codex gpt-5-1-codex-max gpt-5-chat gpt-5-codex
1 20 1 gemini-2-5-pro-preview-tts gemini-2-5-pro-tts
0.25 1.5 0.025 gemini-3-1-flash-lite
2 12 0.2 gemini-3-1-pro gemini-3-pro gemini-3-pro-text gpt-5-6-terra
1.5 9 0.15 gemini-3-5-flash
0.75 3.75 0.075 gemini-3-6-flash gemini-3-7-flash gemini-3-8-flash
0.5 3 0.05 gemini-3-flash
0.0375 0.15 0.01 gemini-flash-1-5-8b
1.25 5 0.3125 gemini-pro-1-5
0.65 0.65 0.65 gemma-2-27b-it
0.15 0.6 0.015 gemma-4-26b-a4b-it-maas mistral-small-2603
1.4 4.4 0.26 glm-5-2 glm-5-3
0.075 0.25 0.015 glm-5-3-flash
1.5 2 1.5 gpt-3-5-0301 gpt-3-5-turbo-0301 gpt-3-5-turbo-0613 gpt-3-5-turbo-instruct
1.5 2 1.5 gpt-3-5-turbo-instruct-0914
0.5 1.5 0.5 gpt-3-5-turbo gpt-3-5-turbo-0125 gpt-35-turbo magistral-small
1 2 1 gpt-3-5-turbo-1106
3 4 3 gpt-3-5-turbo-16k gpt-3-5-turbo-16k-0613 gpt-35-turbo-16k gpt-35-turbo-16k-0613
30 60 30 gpt-4 gpt-4-0314 gpt-4-0613
10 30 10 gpt-4-0125 gpt-4-1106 gpt-4-1106-vision gpt-4-turbo gpt-4-turbo-0125 gpt-4-vision
2 8 0.5 gpt-4-1 o3 o4-mini-deep-research
0.4 1.6 0.1 gpt-4-1-mini
60 120 60 gpt-4-32k gpt-4-32k-0314 gpt-4-32k-0613
75 150 37.5 gpt-4-5
2.5 10 1.25 gpt-4o
2.5 10 2.5 gpt-4o-audio gpt-4o-search gpt-4o-transcribe gpt-4o-transcribe-diarize
0.15 0.6 0.075 gpt-4o-mini gpt-4o-mini-search
0.3 1.2 0.3 gpt-4o-mini-2024-07-18-ft m2-her
0.15 0.6 0.15 gpt-4o-mini-audio
0.6 12 0.6 gpt-4o-mini-tts
0.25 2 0.025 gpt-5-1-codex-mini gpt-5-1-mini gpt-5-mini
1.75 14 0.175 gpt-5-2 gpt-5-2-chat gpt-5-2-codex gpt-5-3 gpt-5-3-chat gpt-5-3-codex
21 168 21 gpt-5-2-pro
2.5 15 0.25 gpt-5-4
8 15 2 gpt-5-4-image-2
0.75 4.5 0.075 gpt-5-4-mini
0.2 1.25 0.02 gpt-5-4-nano
30 180 30 gpt-5-4-pro gpt-5-5-pro
5 30 0.5 gpt-5-5 gpt-5-5-chat gpt-5-5-codex gpt-chat
4 20 0.4 gpt-5-6 gpt-5-6-sol
0.2 1.2 0.02 gpt-5-6-luna
10 10 1.25 gpt-5-image
2.5 2 0.25 gpt-5-image-mini
0.05 0.4 0.005 gpt-5-nano
15 120 15 gpt-5-pro
0.1 0.5 0.01 gpt-6-luna
5 40 1.25 gpt-image-1
2 8 0.2 gpt-image-1-mini
5 30 1.25 gpt-image-2
0.039 0.18 0.039 gpt-oss-120b
0.029 0.14 0.029 gpt-oss-20b
0.075 0.3 0.037 gpt-oss-safeguard-20b
2 6 0.3 grok grok-4-5
2 10 2 grok-2 grok-2-1212 grok-2-vision grok-2-vision-1212
3 15 0.75 grok-3 grok-3-beta grok-4 grok-4-0709
5 25 1.25 grok-3-fast grok-3-fast-beta
0.3 0.5 0.075 grok-3-mini grok-3-mini-beta
0.6 4 0.15 grok-3-mini-fast grok-3-mini-fast-beta
0.2 0.5 0.05 grok-4-1-fast grok-4-1-fast-non-reasoning grok-4-1-fast-reasoning grok-4-fast
0.2 0.5 0.05 grok-4-fast-non-reasoning grok-4-fast-reasoning
1.25 2.5 0.2 grok-4-20 grok-4-3
2 6 0.2 grok-4-20-multi-agent
2 6 0.5 grok-4-6
1 2 0.2 grok-build-0-1
0.2 1.5 0.02 grok-code-fast grok-code-fast-1 grok-code-fast-1-0825
0.57 2.3 0.57 kimi-k2
0.6 2.5 0.15 kimi-k2-0711 kimi-k2-0905 kimi-k2-thinking
0.6 3 0.1 kimi-k2-5
0.95 4 0.16 kimi-k2-6
0.95 4 0.19 kimi-k2-7-code
1.9 8 0.38 kimi-k2-7-code-highspeed
1.15 8 0.15 kimi-k2-thinking-turbo kimi-k2-turbo
0.6 2.4 0.03 m2-1-highspeed m2-5-highspeed minimax-m2-1-highspeed minimax-m2-5-highspeed
0.6 2.4 0.06 m2-7-highspeed minimax-m2-7-highspeed
2 5 2 magistral-medium moonshot-v1-128k moonshot-v1-128k-vision
0.2 1.1 0.2 minimax-01
0.4 2.2 0.4 minimax-m1
0.3 1.2 0.03 minimax-m2 minimax-m2-1 minimax-m2-5
0.3 1.2 0.06 minimax-m2-7 minimax-m3
0.2 0.2 0.02 ministral-14b-2512
0.04 0.04 0.04 ministral-3b
0.1 0.1 0.01 ministral-3b-2512
0.1 0.1 0.1 ministral-8b ministral-8b-2410 mistral-embed
0.15 0.15 0.015 ministral-8b-2512
0.25 0.25 0.25 mistral-7b mistral-tiny open-mistral-7b
2 6 2 mistral-large mistral-large-2407 mistral-large-2411 pixtral-large pixtral-large-2411
0.5 1.5 0.05 mistral-large-2512
2.7 8.1 2.7 mistral-medium-2312
1.5 7.5 0.15 mistral-medium-3 mistral-medium-3-5
0.15 0.15 0.15 mistral-nemo open-mistral-nemo pixtral-12b
0.2 0.6 0.2 mistral-saba
0.05 0.08 0.05 mistral-small-24b-instruct-2501
0.351 0.555 0.351 mistral-small-3-1-24b-instruct
0.075 0.2 0.075 mistral-small-3-2-24b-instruct
0.9 0.9 0.9 mixtral-8x22b-instruct
0.7 0.7 0.7 mixtral-8x7b open-mixtral-8x7b
1 3 1 moonshot-v1-32k moonshot-v1-32k-vision
0.2 2 0.2 moonshot-v1-8k moonshot-v1-8k-vision
15 60 7.5 o1
1.1 4.4 0.55 o1-mini o3-mini o3-mini-high
150 600 150 o1-pro
10 40 2.5 o3-deep-research
20 80 20 o3-pro
1.1 4.4 0.275 o4-mini o4-mini-high
`,T=[150,600,150],tn={"claude-haiku-5-5":{input:.1,output:.5,cacheRead:.01,long:{above:1e5,times:5}},"claude-sonnet-5-5":{input:2,output:10,cacheRead:.1},"claude-fable-5-2":{input:8,output:40,cacheRead:.2},"claude-mythos-5-2":{input:8,output:40,cacheRead:.2},"claude-mythos-5-1":{input:10,output:50,cacheRead:.25},"claude-mythos-5":{input:10,output:50,cacheRead:1}},nn=/^claude-opus-4-[567]$/,rn=6,Sr={input:T[0],output:T[1],cacheRead:T[2],fast:1},on=j({input:E,output:E,cachedInput:Ie(E)}),q=null,sn=e=>(q??=an(),q.get(Qt(e))??null);function an(){let e=en.trim().split(`
`).flatMap(t=>{let[n,o,r,...s]=t.split(" "),i={input:Number(n),output:Number(o),cacheRead:Number(r)};return s.map(a=>[a,nn.test(a)?{...i,fast:rn}:i])});return new Map([...e,...Object.entries(tn)])}function ln(e){let t=te(Te(c,e)??{},"prices");return n=>{let o=t[n];return on(o)?{...o,cacheRead:o.cachedInput??o.input}:sn(n)}}var un='"prices" in config.json takes a price of your own, and --max-tokens needs none';function cn(){return`the host reports that this model costs nothing, so --max-cost may never end the loop; ${un}`}var{spawnSync:pn}=require("node:child_process");var dn=new Set("sh bash dash ash zsh ksh mksh fish busybox".split(" ")),mn=4,fn=1e3;function gn(e=process.ppid,t=hn(process.platform)){for(let n=0,o=e;n<=mn;n++){let r=t(o);if(r===null||o<=1)return null;if(!dn.has(r.name))return o;o=r.parent}return null}function hn(e){return e==="win32"?()=>null:e==="linux"?_n:vn}function _n(e){let t=F(()=>v(`/proc/${e}/stat`,"latin1"),""),[,n,o]=/^\d+ \((.*)\) \S (\d+)/s.exec(t)??[];return n===void 0?null:{name:n,parent:Number(o)}}function vn(e){let{stdout:t}=pn("ps",["-o","ppid=,comm=","-p",String(e)],{encoding:"utf8",timeout:fn,env:{PATH:"/bin:/usr/bin",LC_ALL:"C"}});return Sn(t??"")}function Sn(e){let[,t,n]=/^\s*(\d+)\s+-?(?:.*\/)?([^/\n]+)/.exec(e)??[];return n===void 0?null:{name:n.trim(),parent:Number(t)}}var kr="command file_path notebook_path path pattern url query description skill prompt".split(" "),kn=/"timestamp":"([^"]+)"/;function On(e,t,n,o){try{let{rows:r,from:s}=ct(e,n.offset),i=a=>t.test(a)&&(bn(a)??o)>=o;return{queue:{offset:s+r.length,waiting:0},taken:!1,toolUsed:r.split(`
`).some(i)}}catch{return{queue:n,taken:!1,toolUsed:!0}}}function bn(e){return kn.exec(e)?.[1]??null}var En=400,de={Stop:"stop",UserPromptSubmit:"prompt",PreToolUse:"tool",SessionStart:"session-start",SessionEnd:"session-end"},yn={stopMs:6e5,text:9e3,lagMs:0,toolResetsCap:!0};function me(e,t){let{name:n}=e,{record:o,project:r=""}=t,s={...yn,...t.limits};return{name:n,limits:s,recognises:(i,a)=>o!==void 0&&(o.file.test(fe(i))||!!a[r]||t.sign?.(i)===!0),readArrival:(i,a)=>An({...t,names:e,limits:s},i,a),encode:(i,a)=>Ln(t,i,a),wake:null}}function fe(e){return u(e,"transcript_path")}function An(e,t,n){if(!c(t))return null;let o=e.plain?.(t)??t,r=u(o,"hook_event_name"),s=Object.hasOwn(e.events,r)?e.events[r]:void 0,i=xn(e,o,n);if(s===void 0||i===null||o.agent_id!==void 0&&s!=="tool")return null;switch(s){case"stop":return{...In(e,o,i),...e.stop?.(o,n)};case"fault":{let a=u(o,"error")||"unknown",p=Ye(u(o,"error_details"),En);return{is:s,from:i,error:a,detail:p,fatal:e.fatal?.[a]??null}}case"prompt":{let a=u(o,"prompt");return e.echoes===!0&&a.includes(ge)?null:{is:s,from:i,text:a,person:!0}}case"tool":return{is:s,from:i,acts:()=>Wt(o,e.names.name,{}),call:()=>zt(o,e.names.name),hostFiles:()=>Nn(e.names,i.project,n),speech:()=>Jt(o)};case"session-start":{let{source:a}=o;return a==="resume"||a==="clear"||a==="compact"?{is:s,from:i,source:a}:null}case"session-end":return{is:s,from:i,reason:u(o,"reason")}}}function xn(e,t,n){let o=u(t,"session_id"),r=n[e.project??""]||u(t,"cwd");if(o===""||r==="")return null;let{limits:s,chain:i}=e,a=i===void 0?null:u(t,i)||null,p=e.record===void 0?()=>null:gn,g;return{host:e.names.name,limits:s,session:o,project:r,prompt:a,commands:Ke,get process(){return g===void 0&&(g=p()),g},...e.sender?.(t,n)}}function In({record:e},t,n){let o=fe(t);return{is:"stop",from:n,message:u(t,"last_assistant_message"),background:[],cap:null,attended:!0,continuedByHook:t.stop_hook_active===!0,look:(r,s)=>e===void 0?{queue:r,taken:!1,toolUsed:!0}:On(o,e.call,r,s),...e!==void 0&&{count:async(r,s,i)=>e.count({path:o,payload:t,loop:r,ledger:s,prices:ln(i)})}}}function Nn(e,t,n){if(!("home"in e))return[];let o=e.home(n),{name:r,ground:s,sessions:i}=e;return[...s.map(a=>l(o,a)),...qt(r).map(a=>l(t,a)),l(o,i)]}var ge="<hook_prompt>";function Ln({events:e,echoes:t,say:n},o,{is:r}){let s=t===!0&&o.is==="continue"?{...o,toAgent:`${ge}
${o.toAgent}
</hook_prompt>`}:o,i=n?.(s)??Pn(s,Tn(e,r));return{stdout:i===null?"":JSON.stringify(i),stderr:"",exit:0}}function Tn(e,t){return Object.keys(e).find(n=>e[n]===t)??""}function Pn(e,t){let n="toPerson"in e?e.toPerson??void 0:void 0,o=(r,s)=>({hookSpecificOutput:{hookEventName:t,permissionDecision:r,permissionDecisionReason:s}});switch(e.is){case"silence":return null;case"tell":return{systemMessage:n};case"close":return{decision:"block",reason:e.toPerson};case"continue":return{decision:"block",reason:e.toAgent};case"brief":return{systemMessage:n,hookSpecificOutput:{hookEventName:t,additionalContext:e.toAgent}};case"permit":return o("allow",e.why);case"deny":return o("deny",e.toAgent)}}function Rn(e){return typeof e=="string"?e:Le(e).flatMap(({text:t})=>typeof t=="string"?t:[]).join(`
`)}var P=0,R=2,he=me({name:"exit-code"},{limits:{lagMs:250},events:{...de,StopFailure:"fault",UserPromptExpansion:"prompt"},fatal:Ht,chain:"prompt_id",project:ue,sender:(e,t)=>({commands:$t(t)}),stop:e=>{let t=u(e,"transcript_path");return u(e,"last_assistant_message")!==""||t===""?{}:{rest:async()=>({message:Mn(t),failed:null})}}}),wn={...he,readArrival:$n,encode:Cn};function $n(e,t){let n=he.readArrival(e,t);if(n===null||!c(e))return null;if(e.hook_event_name==="UserPromptExpansion"){let o=Gt(e,n.from,t);return o&&{...o,cap:null,liftCap:null}}return n.is!=="prompt"?n:Xt.test(n.text)?null:{...n,person:!Kt.test(n.text)}}function Cn(e){switch(e.is){case"silence":case"permit":return{stdout:"",stderr:"",exit:P};case"tell":return{stdout:"",stderr:m(e.toPerson),exit:P};case"brief":return{stdout:m(e.toAgent),stderr:m(e.toPerson),exit:P};case"deny":return{stdout:"",stderr:m(e.toAgent),exit:R};case"close":return{stdout:"",stderr:m(e.toPerson),exit:R};case"continue":{let t=`${Dn(e.iteration)}

${e.toAgent}`;return{stdout:`{"decision": "block", "reason": ${JSON.stringify(t)}}`,stderr:m(e.toAgent),exit:R}}}}function Dn({n:e,of:t}){return`[ITERATION ${e}/${t??"unlimited"}] Continue working on the task. Check your progress and either complete the task or keep iterating.`}function m(e){return e===null||e===""?"":`${e}
`}var jn=4*1024*1024;function Mn(e){let t=at(e,jn).split(`
`).findLast(n=>Y(n)!=="");return t===void 0?"":Y(t)}function Y(e){if(!e.includes("assistant"))return"";let t=M(c,e);if(t===null||t.isSidechain===!0)return"";let n=c(t.message)?t.message:t;return t.type!=="assistant"&&n.role!=="assistant"?"":Rn(n.content)}var Fn=[Dt,jt],Un={..._e(pe),readArrival:Hn};function _e(e){return me(e,{events:Object.fromEntries(Object.values(de).map(t=>[t,t])),chain:"turn",plain:Bn,sender:({host:t,process:n})=>({...k(t)&&{host:t},...D(n)&&{process:n}}),stop:Wn,say:Kn})}function Hn(e,t){let n=c(e)?e.host:null;return _e(Fn.find(({name:o})=>o===n)??pe).readArrival(e,t)}function Bn(e){let{event:t,session:n,project:o,message:r,text:s,tool:i,input:a,id:p,...g}=e;return{cwd:o,...g,hook_event_name:t,session_id:n,last_assistant_message:r,prompt:s,tool_name:i,tool_input:a,tool_use_id:p}}var Gn=j({costUsd:E,tokens:D});function Wn(e){let{used:t,idle:n}=e,o={toolUsed:n!==!0,used:Gn(t)?t:null};return{...Jn(e),look:r=>({queue:r,taken:!1,...o}),count:async({limits:r})=>{let s=r.costUsd!==null&&o.used?.costUsd===0&&o.used.tokens>0;return{used:o.used,note:s?`Da Capo: ${cn()}.`:null}}}}var zn=Ae("auth","billing","model","permission","config");function Jn(e){let t=te(e,"failed"),[n,o]=[Pe(t.error),t.fatal];if(n===null)return{};let r=zn(o)?o:Ut(Number(t.status))??null,s={error:n,detail:u(t,"detail"),fatal:r};return{rest:async()=>({message:u(e,"last_assistant_message"),failed:s})}}function Kn(e){let t="toPerson"in e?e.toPerson??void 0:void 0;switch(e.is){case"silence":return null;case"continue":return{continue:!0,prompt:e.toAgent,message:t};case"brief":return{context:e.toAgent,message:t};case"deny":return{allow:!1,reason:e.toAgent,message:t};case"permit":return{allow:!0,reason:e.why};case"tell":case"close":return{message:t}}}var V=[wn,Un];function Xn(e,t){let{is:n}=t.status;return e.status.is!==n||n==="waiting"||e.people.requested!==t.people.requested||e.frame.id!==t.frame.id}var qn="DACAPO_PASS";function Yn(e){return process.platform!=="linux"?!1:/\) Z/.test(F(()=>v(`/proc/${e}/stat`,"latin1"),""))}var Or=new RegExp(`(?:^|\\0)${qn}=([^\\0]*)`);var I=f("./store.cjs"),Vn=I("homeRecords"),Zn=I("folderIn"),Qn=I("fileLoops"),er=oe("openLoop"),tr=I("fileTasks");function nr(e){let t=J(()=>Qn(e)),n=J(()=>Vn(e)),o=null;return{place:r=>r===void 0?e.dir:l(e.loops,r),machine:()=>o??=Nt(e)??n().machine(),folder:r=>Zn(e.dir,r),open:r=>er(e,r),make:(r,s)=>t().make(r,s),loops:()=>t().loops(),stamps:()=>t().stamps(),summaries:()=>t().summaries(),visit:(r,s)=>t().visit(r,s),remove:r=>t().remove(r),leftovers:r=>t().leftovers(r),sweep:r=>t().sweep(r),sessions:{find:r=>Lt(e,r),keep:(r,s)=>n().sessions.keep(r,s),drop:r=>n().sessions.drop(r),all:()=>n().sessions.all()},ready:{any:()=>Tt(e),find:(r,s)=>n().ready.find(r,s),keep:(r,s,i)=>n().ready.keep(r,s,i),drop:(r,s)=>n().ready.drop(r,s)},config:()=>G(e.config),get once(){return n().once},get trust(){return n().trust},get hooks(){return n().hooks},get tasks(){return tr(e)}}}var ve=f("./sinks.cjs"),Z=ve("tellSinks"),rr=ve("peopleSink");function or(e,t,n){let o={isAlive:se,...t,store:ar(nr(e),()=>n(o)),process:process.pid,started:new Date(Date.now()-process.uptime()*1e3).toISOString()};return o}function sr({sender:e,...t}){let n=B(t.env,process.platform);return or(n,{...t,now:()=>new Date().toISOString(),log:()=>{},isAlive:o=>se(o)&&!Yn(o)},o=>[ir(o,e)])}function ir(e,t){let{log:n}=B(e.env,process.platform);return rr({...e,log:le(n,e.now)},t)}function ar(e,t){let n=r=>({...r,write:s=>{let i=r.loop(),a=r.write(s);return Xn(i,a)&&Z(t(),i,a,s),a}}),o={open:r=>{let s=e.open(r);return s&&n(s)},visit:(r,s)=>e.visit(r,i=>s(n(i))),make:(r,s)=>{let i=e.make(r,s);return i==="taken"?i:(Z(t(),null,i.loop(),r),n(i))}};return Object.assign(Object.create(e),o)}async function lr(e,t){let n=V.find(({name:i})=>i===e);if(n===void 0)return De(`there is no protocol ${JSON.stringify(e)}.`,`leave --protocol out, or give ${V.map(({name:i})=>i).join(" or ")}.`,process.argv);let{stdout:o,stderr:r,exit:s}=await ur(n,t);return o!==""&&w(1,o),r!==""&&w(2,r),s}async function ur(e,t){if(Ze(t))return N;It(Mt(process.env));let n=sr({env:t,runner:we,sender:$e}),o=le(B(t,process.platform).log,n.now);try{let r=e.readArrival(JSON.parse(v(0,"utf8")),t);return r===null||Qe(t)&&r.is!=="tool"?N:e.encode(await gt(r,n.store,()=>({...n,log:o})),r)}catch(r){let{stack:s,message:i}=r instanceof Error?r:new Error(String(r));return o(`failed open: ${s??i}`),{...N,stderr:`Da Capo failed: ${i}
`}}}module.exports={runProtocol:lr};
