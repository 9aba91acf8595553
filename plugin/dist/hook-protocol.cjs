var{existsSync:he,readFileSync:v,constants:E,openSync:y,fstatSync:x,lstatSync:Y,closeSync:I,readSync:$,readdirSync:_e,realpathSync:ve,writeSync:R}=require("node:fs");var{join:l,dirname:C,sep:_,isAbsolute:V,resolve:Se,basename:ke}=require("node:path"),S=e=>typeof e=="string";var j=e=>Number.isSafeInteger(e)&&Number(e)>=0;var b=e=>Number.isFinite(e)&&Number(e)>=0;function Oe(...e){return t=>e.some(n=>n===t)}function be(e){return t=>t===null||e(t)}function Ae(e){return t=>t===void 0||e(t)}function Ee(e){let t=null;return()=>(t??={value:e()}).value}function D(e){return t=>p(t)&&ye(t,e)}function ye(e,t){for(let n in t)if(t[n]?.(e[n])!==!0)return!1;return!0}function p(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)}function Z(e,t){let n=e[t];return p(n)?n:{}}function xe(e){return Array.isArray(e)?e.filter(p):[]}function u(e,t){let n=e[t];return S(n)?n:""}function M(e,t){try{let n=JSON.parse(t??"null");return e(n)?n:null}catch{return null}}function Ie(e,t){return F(()=>M(e,t()),null)}function Le(e){return S(e)&&e!==""?e:null}var Ne=/^[A-Za-z0-9_-]{1,128}$/,G=e=>S(e)&&Ne.test(e);function F(e,t){try{return e()}catch{return t}}function Q(e){return e instanceof Error&&"code"in e?String(e.code):String(e)}var ee=we(__dirname),mr=l(ee,"dist","cli.cjs"),k=l(ee,"plugin"),Pe=l(k,"dist","runner.cjs"),Te=l(k,"dist","sender.cjs"),fr=l(k,"dist","hook.cjs"),gr=l(k,"dist","acp.cjs"),hr=l(k,"dist","mcp.cjs");function we(e){for(let t=e;C(t)!==t;t=C(t))if(he(l(t,"package.json")))return t;return e}function Re(e,t,n){return n.includes("--json")&&process.stdout.write(`${JSON.stringify({error:e,next:t,exit:1})}
`),process.stderr.write(`error: ${e}
next: ${t}
`),1}var Ce={is:"silence"},L={stdout:"",stderr:"",exit:0},h=e=>t=>(...n)=>require(e)[t](...n),f=h("./rest.cjs"),$e=f("hearCommand"),je=f("hearSessionStart"),De=f("hearSessionEnd"),Me=f("hearFault"),Fe=f("hearLateStop"),He=f("hearPrompt"),te=h("./stop.cjs"),Ue=te("hearStop"),O=h("./guard.cjs"),Be=O("hearTool");var Ge="tools-",We={resume:"dacapo resume",cancel:"dacapo cancel",approve:"dacapo approve",reject:"dacapo reject",answer:"dacapo answer"},Je=/<(\/?)(promise|loop-done|issue-complete|grind-done)(?=[\s>/])/gi;function Xe(e){let t=new RegExp("(?![\\t\\n])\\p{Cc}(?:\\[[0-9;?]*[ -/]*[@-~])?|[\\u202A-\\u202E\\u2066-\\u2069]","gu");return e.replace(/\r\n?/g,`
`).replace(t,"").replace(Je,"\u2039$1$2")}function qe(e,t){let n=Xe(e).replace(/\s+/g," ").trim();return n.length>t?`${ze(n,t-1)}\u2026`:n}function ze(e,t){return e.slice(0,t).replace(/[\uD800-\uDBFF]$/,"")}function N(e,t){return e===t||e.startsWith(t.endsWith(_)?t:t+_)}var Ke="DACAPO_PASS";function Ye(e){return process.platform!=="linux"?!1:/\) Z/.test(F(()=>v(`/proc/${e}/stat`,"latin1"),""))}function ne(e){try{return process.kill(e,0),!0}catch(t){return Q(t)==="EPERM"}}function Ve(e){return e.DACAPO_DISABLE==="1"||e.IDLE_LOOP_DISABLE==="1"}function re(e){return e.DACAPO_DRIVEN==="1"}function Ze(e){return re(e)?e[Ke]?.split("/").at(-1)??null:null}var _r=`${Ge}of-`;function Qe(e,{store:t}){t.once.isNews(`${e} hook`)}var et=f("withViewErrors");var H=E.O_RDONLY|(E.O_NONBLOCK??0),tt=H|(E.O_NOFOLLOW??0),W=16*1024*1024,nt="\uFFFD",rt=["EBUSY","EMFILE","ENFILE","EAGAIN","ETXTBSY"];function ot(e,t=tt){let n;try{n=y(e,t)}catch(r){let o=Q(r);return o==="ENOENT"?{is:"gone"}:{is:"unreadable",why:o,passing:rt.includes(o)}}try{let r=x(n);if(!r.isFile()||!E.O_NOFOLLOW&&Y(e).isSymbolicLink())return{is:"unreadable",why:"not a regular file",passing:!1};if(r.size>W)return{is:"unreadable",why:`larger than ${W/1024/1024} MB`,passing:!1};let o=v(n,"utf8"),s=o.includes(nt)?st(n,r.size):null;return{is:"content",content:o,get bytes(){return s??Buffer.from(o)},modifiedMs:r.mtimeMs}}finally{I(n)}}function st(e,t){let n=Buffer.alloc(t);return n.subarray(0,$(e,n,0,t,0))}function it(e,t){return at(e,n=>Math.max(0,n-t)).toString()}function at(e,t){let n=null;try{n=y(e,H);let r=x(n),o=t(r.size),s=Buffer.alloc(r.isFile()?Math.max(0,r.size-o):0);return s.subarray(0,$(n,s,0,s.length,o))}catch{return Buffer.alloc(0)}finally{n!==null&&I(n)}}var lt=4194304;function ut(e,t){let n=y(e,H);try{let{size:r}=x(n),o=Math.max(r<t?0:t,r-lt),s=Buffer.allocUnsafe(r-o),i=s.toString("latin1",0,$(n,s,0,s.length,o));return{rows:i.slice(0,i.lastIndexOf(`
`)+1),from:o}}finally{I(n)}}var ct=/^loop_id: "?([\w.-]+)/m,pt=/^session_id: "?([\w.-]+)/m;function dt(e){let t=e.slice(0,e.indexOf(`
---`,3));return{loop:ct.exec(t)?.[1]??null,session:pt.exec(t)?.[1]??null}}var mt=".claude",ft=`${mt}${_}ralph-loop.local.md`;async function gt(e,t,n,r=null){e.is==="tool"&&e.starts&&Qe(e.from.session,n());let o=t.sessions.find(e.from.session)??(r!==null&&e.is==="tool"?t.sessions.find(r):null);if(_t(e,o,t))return Ce;let s=n(),i=[],a=await ht(e,{entry:o,pass:r},{...s,onViewError:(d,m)=>i.push({what:d,why:m})});return i.length===0?a:et(a,i,e,s)}async function ht(e,{entry:t,pass:n},r){switch(e.is){case"stop":return(e.rest?Fe:Ue)(e,r,t);case"tool":return Be(e,t,n,r);case"prompt":return He(e,r);case"command":return $e(e,r);case"session-start":return je(e,r);case"session-end":return De(e,r);case"fault":return Me(e,r)}}function _t(e,t,n){if(t!==null)return!1;switch(e.is){case"stop":return!vt(e.from,n);case"command":return!1;case"session-start":return e.source!=="clear";case"prompt":return!n.ready.any();case"session-end":case"fault":case"tool":return!0}}function vt({project:e,session:t},{sessions:n}){let r=l(e,ft);if(Y(r,{throwIfNoEntry:!1})===void 0)return!1;let o=ot(r);if(o.is!=="content")return o.is==="unreadable";let{loop:s,session:i}=dt(o.content);return s===null||i===null||i===t||n.find(i)?.loop!==s}var c=h("./store.cjs"),St=1048576,kt=c("rotateLog"),Ot=12;function bt(e){let t=l(e,_);return{dir:e,loops:`${t}loops`,sessions:`${t}sessions`,ready:`${t}ready`,announced:`${t}announced`,tasks:`${t}tasks`,trust:`${t}trust.json`,hooks:`${t}hooks.json`,config:`${t}config.json`,machine:`${t}machine`,log:`${t}hook.log`}}function U(e,t){return bt(At(e,t))}function At(e,t){let n=e.DACAPO_HOME??"";return V(n)?n:Et(e,t)}function Et(e,t){let n=e.HOME||e.USERPROFILE||process.getBuiltinModule("node:os").homedir();return l(yt(n,e,t),"dacapo")}function yt(e,t,n){if(n==="win32")return t.LOCALAPPDATA||l(e,"AppData","Local");if(n==="darwin")return l(e,"Library","Application Support");let r=t.XDG_STATE_HOME??"";return r.startsWith("/")?r:l(e,".local","state")}function xt(e){return e instanceof Error&&"code"in e&&(e.code==="ENOENT"||e.code==="ENOTDIR")}function B(e){return oe(()=>v(e,"utf8"),null)}function It(e){return oe(()=>_e(e),[])}function oe(e,t){try{return e()}catch(n){if(xt(n))return t;throw n}}function Lt(e,t){let n=e.DACAPO_HOME??"";if(n==="")return null;if(!V(n))return"is a relative path";let r=Se(n),o=A(r),s=t&&A(t);return[r,o].some(i=>N(i,"/proc"))?"leads into /proc":s&&N(o,s)&&!N(A(e.HOME??"/"),s)?`is in the project ${s}`:null}function Nt(e){Lt(process.env,e)!==null&&delete process.env.DACAPO_HOME}function A(e){try{return ve.native(e)}catch{return l(A(C(e)),ke(e))}}function Pt({machine:e}){let t=B(e);return t?.length===Ot?t:null}function Tt({sessions:e},t){let n=D({loop:G,process:be(j),project:S});return G(t)?M(n,B(`${e}${_}${t}`)):null}function wt({ready:e}){return It(e).length>0}function se(e,t){return n=>{try{Rt(e,`${t()} ${n}
`)>St&&kt(e)}catch{}}}function Rt(e,t){let n=y(e,"a",384);try{return R(n,t),x(n).size}finally{I(n)}}function Ct(e){return $t(e.CLAUDE_PLUGIN_ROOT===void 0?"project":"plugin")}function $t(e){let t=e==="project"?"/":"/dacapo:";return{resume:`${t}resume-ralph`,cancel:`${t}cancel-ralph`,approve:`${t}approve-ralph`,reject:`${t}reject-ralph`,answer:`${t}answer-ralph`}}var ie="CLAUDE_PROJECT_DIR";function ae(e,...t){return l(e.HOME??e.USERPROFILE??"",...t)}var jt={name:"opencode",title:"OpenCode",word:"opencode",tool:"bash",signs:["OPENCODE"],own:/^OPENCODE(?:_PID)?$/,home:e=>l(e.XDG_CONFIG_HOME||ae(e,".config"),"opencode"),folder:".opencode",ground:["opencode.json","opencode.jsonc","plugin","plugins","tool","tools","../opencode.json","../opencode.jsonc"],sessions:"../../.local/share/opencode"},Dt={name:"pi",title:"pi",word:"pi",tool:"bash",signs:["PI_CODING_AGENT"],own:/^PI_CODING_AGENT$/,home:e=>e.PI_CODING_AGENT_DIR||ae(e,".pi","agent"),folder:".pi",ground:["settings.json","extensions"],sessions:"sessions"},le={name:"json"};function Mt(e){return e[ie]||null}var Ft={401:"auth",402:"billing",403:"permission",404:"model"};function Ht(e){return Ft[e??0]}var Ut={billing_error:"billing",authentication_failed:"auth",oauth_org_not_allowed:"auth",account_on_hold:"auth",verification_required:"auth",cloud_credential_error:"auth",model_not_found:"model"},Bt=h("./host.cjs"),Gt=Bt("commandOf"),Wt=O("actsOfCall"),Jt=O("callOf"),Xt=O("speechOf"),qt=/^\s*<(task-notification|system-reminder|local-command|command-)/,zt=/^\s*\/(?:dacapo:)?(?:ralph|(?:cancel|resume|approve|reject|answer)-ralph|ralph-status)(?:\s|$)/;var Kt=O("hostGround"),Yt=/^(?:.*\/)?(?:(?:[a-z-]+\.)*anthropic\.)?/,Vt=/\[[^\]]*\]$/,Zt=/(?:[-@](?:latest|preview(?:-\d\d-\d{2,4})?|\d{4}-\d\d-\d\d|\d{8})|(?<=\d)-v1(?::\d)?)+$/;function Qt(e){return e.toLowerCase().replace(Yt,"").replace(Vt,"").replace(Zt,"").replaceAll(".","-")}var en=`
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
`,P=[150,600,150],tn={"claude-haiku-5-5":{input:.1,output:.5,cacheRead:.01,long:{above:1e5,times:5}},"claude-sonnet-5-5":{input:2,output:10,cacheRead:.1},"claude-fable-5-2":{input:8,output:40,cacheRead:.2},"claude-mythos-5-2":{input:8,output:40,cacheRead:.2},"claude-mythos-5-1":{input:10,output:50,cacheRead:.25},"claude-mythos-5":{input:10,output:50,cacheRead:1}},nn=/^claude-opus-4-[567]$/,rn=6,vr={input:P[0],output:P[1],cacheRead:P[2],fast:1},on=D({input:b,output:b,cachedInput:Ae(b)}),J=null,sn=e=>(J??=an(),J.get(Qt(e))??null);function an(){let e=en.trim().split(`
`).flatMap(t=>{let[n,r,o,...s]=t.split(" "),i={input:Number(n),output:Number(r),cacheRead:Number(o)};return s.map(a=>[a,nn.test(a)?{...i,fast:rn}:i])});return new Map([...e,...Object.entries(tn)])}function ln(e){let t=Z(Ie(p,e)??{},"prices");return n=>{let r=t[n];return on(r)?{...r,cacheRead:r.cachedInput??r.input}:sn(n)}}var un='"prices" in config.json takes a price of your own, and --max-tokens needs none';function cn(){return`the host reports that this model costs nothing, so --max-cost may never end the loop; ${un}`}var{spawnSync:pn}=require("node:child_process");var dn=new Set("sh bash dash ash zsh ksh mksh fish busybox".split(" ")),mn=4,fn=1e3;function gn(e=process.ppid,t=hn(process.platform)){for(let n=0,r=e;n<=mn;n++){let o=t(r);if(o===null||r<=1)return null;if(!dn.has(o.name))return r;r=o.parent}return null}function hn(e){return e==="win32"?()=>null:e==="linux"?_n:vn}function _n(e){let t=F(()=>v(`/proc/${e}/stat`,"latin1"),""),[,n,r]=/^\d+ \((.*)\) \S (\d+)/s.exec(t)??[];return n===void 0?null:{name:n,parent:Number(r)}}function vn(e){let{stdout:t}=pn("ps",["-o","ppid=,comm=","-p",String(e)],{encoding:"utf8",timeout:fn,env:{PATH:"/bin:/usr/bin",LC_ALL:"C"}});return Sn(t??"")}function Sn(e){let[,t,n]=/^\s*(\d+)\s+-?(?:.*\/)?([^/\n]+)/.exec(e)??[];return n===void 0?null:{name:n.trim(),parent:Number(t)}}var Sr="command file_path notebook_path path pattern url query description skill prompt".split(" "),kn=/"timestamp":"([^"]+)"/;function On(e,t,n,r){try{let{rows:o,from:s}=ut(e,n.offset),i=a=>t.test(a)&&(bn(a)??r)>=r;return{queue:{offset:s+o.length,waiting:0},taken:!1,toolUsed:o.split(`
`).some(i)}}catch{return{queue:n,taken:!1,toolUsed:!0}}}function bn(e){return kn.exec(e)?.[1]??null}var An=400,ue={Stop:"stop",UserPromptSubmit:"prompt",PreToolUse:"tool",SessionStart:"session-start",SessionEnd:"session-end"},En={stopMs:6e5,text:9e3,lagMs:0,toolResetsCap:!0};function ce(e,t){let{name:n}=e,{record:r,project:o=""}=t,s={...En,...t.limits};return{name:n,limits:s,recognises:(i,a)=>r!==void 0&&(r.file.test(pe(i))||!!a[o]||t.sign?.(i)===!0),readArrival:(i,a)=>yn({...t,names:e,limits:s},i,a),encode:(i,a)=>Nn(t,i,a),wake:null}}function pe(e){return u(e,"transcript_path")}function yn(e,t,n){if(!p(t))return null;let r=e.plain?.(t)??t,o=u(r,"hook_event_name"),s=Object.hasOwn(e.events,o)?e.events[o]:void 0,i=xn(e,r,n);if(s===void 0||i===null||r.agent_id!==void 0&&s!=="tool")return null;switch(s){case"stop":return{...In(e,r,i),...e.stop?.(r,n)};case"fault":{let a=u(r,"error")||"unknown",d=qe(u(r,"error_details"),An);return{is:s,from:i,error:a,detail:d,fatal:e.fatal?.[a]??null}}case"prompt":{let a=u(r,"prompt");return e.echoes===!0&&a.includes(de)?null:{is:s,from:i,text:a,person:!0}}case"tool":return{is:s,from:i,acts:()=>Wt(r,e.names.name,{}),call:()=>Jt(r,e.names.name),hostFiles:()=>Ln(e.names,i.project,n),speech:()=>Xt(r)};case"session-start":{let{source:a}=r;return a==="resume"||a==="clear"||a==="compact"?{is:s,from:i,source:a}:null}case"session-end":return{is:s,from:i,reason:u(r,"reason")}}}function xn(e,t,n){let r=u(t,"session_id"),o=n[e.project??""]||u(t,"cwd");if(r===""||o==="")return null;let{limits:s,chain:i}=e,a=i===void 0?null:u(t,i)||null,d=e.record===void 0?()=>null:gn,m;return{host:e.names.name,limits:s,session:r,project:o,prompt:a,commands:We,get process(){return m===void 0&&(m=d()),m},...e.sender?.(t,n)}}function In({record:e},t,n){let r=pe(t);return{is:"stop",from:n,message:u(t,"last_assistant_message"),background:[],cap:null,attended:!0,continuedByHook:t.stop_hook_active===!0,look:(o,s)=>e===void 0?{queue:o,taken:!1,toolUsed:!0}:On(r,e.call,o,s),...e!==void 0&&{count:async(o,s,i)=>e.count({path:r,payload:t,loop:o,ledger:s,prices:ln(i)})}}}function Ln(e,t,n){if(!("home"in e))return[];let r=e.home(n),{name:o,ground:s,sessions:i}=e;return[...s.map(a=>l(r,a)),...Kt(o).map(a=>l(t,a)),l(r,i)]}var de="<hook_prompt>";function Nn({events:e,echoes:t,say:n},r,{is:o}){let s=t===!0&&r.is==="continue"?{...r,toAgent:`${de}
${r.toAgent}
</hook_prompt>`}:r,i=n?.(s)??Tn(s,Pn(e,o));return{stdout:i===null?"":JSON.stringify(i),stderr:"",exit:0}}function Pn(e,t){return Object.keys(e).find(n=>e[n]===t)??""}function Tn(e,t){let n="toPerson"in e?e.toPerson??void 0:void 0,r=(o,s)=>({hookSpecificOutput:{hookEventName:t,permissionDecision:o,permissionDecisionReason:s}});switch(e.is){case"silence":return null;case"tell":return{systemMessage:n};case"close":return{decision:"block",reason:e.toPerson};case"continue":return{decision:"block",reason:e.toAgent};case"brief":return{systemMessage:n,hookSpecificOutput:{hookEventName:t,additionalContext:e.toAgent}};case"permit":return r("allow",e.why);case"deny":return r("deny",e.toAgent)}}function wn(e){return typeof e=="string"?e:xe(e).flatMap(({text:t})=>typeof t=="string"?t:[]).join(`
`)}var T=0,w=2,me=ce({name:"exit-code"},{limits:{lagMs:250},events:{...ue,StopFailure:"fault",UserPromptExpansion:"prompt"},fatal:Ut,chain:"prompt_id",project:ie,sender:(e,t)=>({commands:Ct(t)}),stop:e=>{let t=u(e,"transcript_path");return u(e,"last_assistant_message")!==""||t===""?{}:{rest:async()=>({message:Mn(t),failed:null})}}}),Rn={...me,readArrival:Cn,encode:$n};function Cn(e,t){let n=me.readArrival(e,t);if(n===null||!p(e))return null;if(e.hook_event_name==="UserPromptExpansion"){let r=Gt(e,n.from,t);return r&&{...r,cap:null,liftCap:null}}return n.is!=="prompt"?n:zt.test(n.text)?null:{...n,person:!qt.test(n.text)}}function $n(e){switch(e.is){case"silence":case"permit":return{stdout:"",stderr:"",exit:T};case"tell":return{stdout:"",stderr:g(e.toPerson),exit:T};case"brief":return{stdout:g(e.toAgent),stderr:g(e.toPerson),exit:T};case"deny":return{stdout:"",stderr:g(e.toAgent),exit:w};case"close":return{stdout:"",stderr:g(e.toPerson),exit:w};case"continue":{let t=`${jn(e.iteration)}

${e.toAgent}`;return{stdout:`{"decision": "block", "reason": ${JSON.stringify(t)}}`,stderr:g(e.toAgent),exit:w}}}}function jn({n:e,of:t}){return`[ITERATION ${e}/${t??"unlimited"}] Continue working on the task. Check your progress and either complete the task or keep iterating.`}function g(e){return e===null||e===""?"":`${e}
`}var Dn=4*1024*1024;function Mn(e){let t=it(e,Dn).split(`
`).findLast(n=>X(n)!=="");return t===void 0?"":X(t)}function X(e){if(!e.includes("assistant"))return"";let t=M(p,e);if(t===null||t.isSidechain===!0)return"";let n=p(t.message)?t.message:t;return t.type!=="assistant"&&n.role!=="assistant"?"":wn(n.content)}var Fn=[jt,Dt],Hn={...fe(le),readArrival:Un};function fe(e){return ce(e,{events:Object.fromEntries(Object.values(ue).map(t=>[t,t])),chain:"turn",plain:Bn,sender:({host:t,process:n})=>({...S(t)&&{host:t},...j(n)&&{process:n}}),stop:Wn,say:qn})}function Un(e,t){let n=p(e)?e.host:null;return fe(Fn.find(({name:r})=>r===n)??le).readArrival(e,t)}function Bn(e){let{event:t,session:n,project:r,message:o,text:s,tool:i,input:a,id:d,...m}=e;return{cwd:r,...m,hook_event_name:t,session_id:n,last_assistant_message:o,prompt:s,tool_name:i,tool_input:a,tool_use_id:d}}var Gn=D({costUsd:b,tokens:j});function Wn(e){let{used:t,idle:n}=e,r={toolUsed:n!==!0,used:Gn(t)?t:null};return{...Xn(e),look:o=>({queue:o,taken:!1,...r}),count:async({limits:o})=>{let s=o.costUsd!==null&&r.used?.costUsd===0&&r.used.tokens>0;return{used:r.used,note:s?`Da Capo: ${cn()}.`:null}}}}var Jn=Oe("auth","billing","model","permission","config");function Xn(e){let t=Z(e,"failed"),[n,r]=[Le(t.error),t.fatal];if(n===null)return{};let o=Jn(r)?r:Ht(Number(t.status))??null,s={error:n,detail:u(t,"detail"),fatal:o};return{rest:async()=>({message:u(e,"last_assistant_message"),failed:s})}}function qn(e){let t="toPerson"in e?e.toPerson??void 0:void 0;switch(e.is){case"silence":return null;case"continue":return{continue:!0,prompt:e.toAgent,message:t};case"brief":return{context:e.toAgent,message:t};case"deny":return{allow:!1,reason:e.toAgent,message:t};case"permit":return{allow:!0,reason:e.why};case"tell":case"close":return{message:t}}}var q=[Rn,Hn];function zn(e,t){let{is:n}=t.status;return e.status.is!==n||n==="waiting"||e.people.requested!==t.people.requested||e.frame.id!==t.frame.id}var Kn=c("homeRecords"),Yn=c("folderIn"),Vn=c("findLeftovers"),Zn=c("sweepLeftovers"),Qn=c("listStored"),er=c("stampsIn"),z=c("visitLoops"),tr=c("makeLoop"),nr=c("removeLoop"),rr=te("openLoop"),or=c("fileTasks");function sr(e){let t=Ee(()=>Kn(e)),n=null;return{place:r=>r===void 0?e.dir:l(e.loops,r),machine:()=>n??=Pt(e)??t().machine(),folder:r=>Yn(e.dir,r),open:r=>rr(e,r),make:(r,o)=>tr(e,r,o),loops:()=>Qn(e),stamps:()=>er(e),summaries:()=>z(e),visit:(r,o)=>z(e,r,o),remove:r=>nr(e,r),leftovers:r=>Vn(e,r),sweep:Zn,sessions:{find:r=>Tt(e,r),keep:(r,o)=>t().sessions.keep(r,o),drop:r=>t().sessions.drop(r),all:()=>t().sessions.all()},ready:{any:()=>wt(e),find:(r,o)=>t().ready.find(r,o),keep:(r,o,s)=>t().ready.keep(r,o,s),drop:(r,o)=>t().ready.drop(r,o)},config:()=>B(e.config),get once(){return t().once},get trust(){return t().trust},get hooks(){return t().hooks},get tasks(){return or(e)}}}var ge=h("./sinks.cjs"),K=ge("tellSinks"),ir=ge("peopleSink");function ar(e,t,n){let r={isAlive:ne,...t,store:cr(sr(e),()=>n(r)),process:process.pid,started:new Date(Date.now()-process.uptime()*1e3).toISOString()};return r}function lr({sender:e,...t}){let n=U(t.env,process.platform);return ar(n,{...t,now:()=>new Date().toISOString(),log:()=>{},isAlive:r=>ne(r)&&!Ye(r)},r=>[ur(r,e,n)])}function ur(e,t,{log:n}=U(e.env,process.platform)){return ir({...e,log:se(n,e.now)},t)}function cr(e,t){let n=o=>({...o,write:s=>{let i=o.loop(),a=o.write(s);return zn(i,a)&&K(t(),i,a,s),a}}),r={open:o=>{let s=e.open(o);return s&&n(s)},visit:(o,s)=>e.visit(o,i=>s(n(i))),make:(o,s)=>{let i=e.make(o,s);return i==="taken"?i:(K(t(),null,i.loop(),o),n(i))}};return Object.assign(Object.create(e),r)}async function pr(e,t){let n=q.find(({name:i})=>i===e);if(n===void 0)return Re(`there is no protocol ${JSON.stringify(e)}.`,`leave --protocol out, or give ${q.map(({name:i})=>i).join(" or ")}.`,process.argv);let{stdout:r,stderr:o,exit:s}=await dr(n,t);return r!==""&&R(1,r),o!==""&&R(2,o),s}async function dr(e,t){if(Ve(t))return L;Nt(Mt(process.env));let n=lr({env:t,runner:Pe,sender:Te}),r=se(U(t,process.platform).log,n.now);try{let o=e.readArrival(JSON.parse(v(0,"utf8")),t);if(o===null||re(t)&&o.is!=="tool")return L;let s=()=>({...n,log:r});return e.encode(await gt(o,n.store,s,Ze(t)),o)}catch(o){let{stack:s,message:i}=o instanceof Error?o:new Error(String(o));return r(`failed open: ${s??i}`),{...L,stderr:`Da Capo failed: ${i}
`}}}module.exports={runProtocol:pr};
