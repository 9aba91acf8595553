var{lstatSync:L,realpathSync:$,readdirSync:pe,readFileSync:C,constants:x,openSync:ge,fstatSync:fe,closeSync:he,readSync:_e,existsSync:H,copyFileSync:We,mkdirSync:ke,rmSync:be,writeFileSync:Ge,statSync:Y,renameSync:Be}=require("node:fs"),{join:h,resolve:te,dirname:w,sep:ne}=require("node:path"),u=e=>typeof e=="string",U=e=>typeof e=="boolean",M=e=>Number.isSafeInteger(e)&&Number(e)>=0,A=e=>Number.isFinite(e)&&Number(e)>=0;function Ke(...e){return t=>e.some(n=>n===t)}function W(e){return t=>t===null||e(t)}function E(e){return t=>Array.isArray(t)&&t.every(n=>e(n))}function V(e){return t=>t===void 0||e(t)}function b(e){return t=>f(t)&&qe(t,e)}function qe(e,t){for(let n in t)if(t[n]?.(e[n])!==!0)return!1;return!0}function f(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)}function I(e,t){let n=e[t];return f(n)?n:{}}function Se(e){return Array.isArray(e)?e.filter(f):[]}function p(e,t){let n=e[t];return u(n)?n:""}function J(e,t){try{let n=JSON.parse(t??"null");return e(n)?n:null}catch{return null}}function R(e,t){return D(()=>J(e,t()),null)}function D(e,t){try{return e()}catch{return t}}function X(e){return e instanceof Error&&"code"in e?String(e.code):String(e)}function ve(e){return e.CLAUDE_CONFIG_DIR||h(e.HOME??e.USERPROFILE??"",".claude")}function He(e,{project:t,env:n}){return h(e==="user"?ve(n):h(t,".claude"),"commands")}function Ye(e,t){let n=te(e);if(!se(n,te(t)))return!1;for(let s=n;;s=w(s))if(!(L(s,{throwIfNoEntry:!1})===void 0&&w(s)!==s))return D(()=>!se($(s),$(t)),!0)}function se(e,t){return e===t||e.startsWith(t.endsWith(ne)?t:t+ne)}function Ve(e){return D(()=>pe(e).sort(),[])}function Je(e){try{return process.kill(e,0),Xe(e)}catch{return!0}}function Xe(e){return process.platform!=="linux"?!1:/\) Z/.test(D(()=>C(`/proc/${e}/stat`,"latin1"),""))}var ze="claude-code",Ze="start claude, type /login",Qe={stopMs:6e5,text:9e3,lagMs:250,toolResetsCap:!0},et=8,z="CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";function tt(e){let t=e[z],n=t===void 0||!/^-?\d+$/.test(t.trim())?et:Number(t);return n>0?n:null}function nt(e){return st(e.CLAUDE_PLUGIN_ROOT===void 0?"project":"plugin")}function st(e){let t=e==="project"?"/":"/dacapo:";return{resume:`${t}resume-ralph`,cancel:`${t}cancel-ralph`,approve:`${t}approve-ralph`,reject:`${t}reject-ralph`,answer:`${t}answer-ralph`}}var it="CLAUDE_PROJECT_DIR",ot=2;function rt(){return{isIdle:(e,t)=>ye(t).some(n=>n.session===e.session&&n.idle),encode:e=>({stdout:"",stderr:e,exit:ot})}}function ye(e){let t=h(ve(e),"sessions");return Ve(t).filter(n=>/^\d+\.json$/.test(n)).flatMap(n=>{let s=R(f,()=>C(h(t,n),"utf8")),{pid:i,sessionId:o,status:r}=s??{};return typeof i!="number"||typeof o!="string"||Je(i)?[]:[{pid:i,session:o,idle:r==="idle"}]})}function at(e,t){let n=e.CLAUDE_CODE_SESSION_ID,s=e[it];if(!n||!s)return null;let i=ye(e),o=i.find(({pid:r})=>r===t)??i.find(({session:r})=>r===n);return{host:ze,limits:Qe,session:o?.session??n,project:s,process:o?.pid??null,prompt:null,commands:nt(e)}}function Z(e){let t=new Uint8Array(Buffer.from(e+"\0".repeat(ie))),n=new Uint32Array(t.buffer,0,t.length>>4<<2),s=t.length-ie,{imul:i}=Math,o=2654435769^s,r=1103547991^s,a=2246822507^s,c=3735928559^s;for(let l=0;l<n.length;l+=4)o=i(o^c^(n[l]??0),2654435761),o^=o>>>15,r=i(r^o^(n[l+1]??0),1597334677),r^=r>>>13,a=i(a^r^(n[l+2]??0),2246822519),a^=a>>>14,c=i(c^a^(n[l+3]??0),3266489917),c^=c>>>16;return oe(o,r)+oe(a,c)}var ie=31;function oe(e,t){let n=Math.imul(e^e>>>16,2246822507)^Math.imul(t^t>>>13,3266489909);return(4294967296*(2097151&(Math.imul(t^t>>>16,2246822507)^Math.imul(n^n>>>13,3266489909)))+(n>>>0)).toString(36).padStart(11,"0")}var Q=x.O_RDONLY|(x.O_NONBLOCK??0),lt=Q|(x.O_NOFOLLOW??0),re=16*1024*1024,ct="\uFFFD",ut=["EBUSY","EMFILE","ENFILE","EAGAIN","ETXTBSY"];function dt(e,t=lt){let n;try{n=ge(e,t)}catch(s){let i=X(s);return i==="ENOENT"?{is:"gone"}:{is:"unreadable",why:i,passing:ut.includes(i)}}try{let s=fe(n);if(!s.isFile()||!x.O_NOFOLLOW&&L(e).isSymbolicLink())return{is:"unreadable",why:"not a regular file",passing:!1};if(s.size>re)return{is:"unreadable",why:`larger than ${re/1024/1024} MB`,passing:!1};let i=C(n,"utf8"),o=i.includes(ct)?mt(n,s.size):null;return{is:"content",content:i,get bytes(){return o??Buffer.from(i)},modifiedMs:s.mtimeMs}}finally{he(n)}}function mt(e,t){let n=Buffer.alloc(t);return n.subarray(0,_e(e,n,0,t,0))}function Ee(e){let t=dt(e,Q);if(t.is==="unreadable")throw Object.assign(new Error(`${e} can't be read (${t.why})`),{code:t.why,path:e});return t.is==="gone"?null:t.content}var Dn=4*1024*1024;var pt="hooks:";function gt(e){let{hooks:t}=e;return f(t)?[pt,...Object.keys(t)]:[]}var ft=".before-dacapo",N=e=>e.trim().split(/\s+/),_={"**/AGENTS.md":"instructions","**/AGENTS.override.md":"instructions"},ht="**/{DESIGN,Design,design}.md",_t="**/CONTEXT.md",T={".mcp.json":[]},y={".agents/skills/**/*.md":"instructions"},F={".claude/skills/**/*.md":"instructions"},k=N("name description title color license version tags author metadata argument-hint"),ae=N("model effort"),j=N(`
  $schema model fallbackModel effortLevel maxEffortLevel alwaysThinkingEnabled language outputStyle
  respectGitignore cleanupPeriodDays attribution includeCoAuthoredBy includeGitInstructions companyAnnouncements
  spinnerTipsEnabled spinnerVerbs spinnerTipsOverride viewMode maxProseWidth spellcheck syntaxHighlightingDisabled
  disabledMcpjsonServers deniedMcpServers disableWorkflows disableSkillShellExecution disableClaudeAiConnectors
  disableBundledSkills promptSuggestionEnabled emojiCompletionEnabled awaySummaryEnabled breakReminder quietHours`),Un={"claude-code":{folders:[".claude"],files:{..._,"**/CLAUDE.md":"instructions",".mcp.json":"code",".claude/*.md":"instructions",".claude/{agents,commands,skills,rules,output-styles}/**/*.md":"instructions",".claude/settings.json":"code",".claude/settings.local.json":"code",".claude/worktrees":"harmless",".claude/*.local.md":"harmless","**/CLAUDE.local.md":"instructions",".claude/data":"harmless"},keys:{...T,".claude/settings.json":j,".claude/settings.local.json":j},frontMatter:[...k,...ae,...N("tools disallowedTools user-invocable disable-model-invocation when_to_use paths keep-coding-instructions")]},codex:{folders:[".codex"],files:{..._,...y,".agents/plugins":"code",".codex/config.toml":"code",".codex/hooks.json":"code",".codex/agents":"code",".codex/rules":"permissions",".codex/skills/**/*.md":"instructions",".codex/prompts/*.md":"instructions"},keys:{".codex/hooks.json":[]},frontMatter:k},copilot:{folders:[".github/copilot",".github/hooks",".github/extensions",".copilot"],files:{..._,...y,...F,"**/CLAUDE.md":"instructions","**/GEMINI.md":"instructions","**/{Agents,agents,Claude,claude,Gemini,gemini}.md":"instructions",".claude/rules/**/*.md":"instructions",".claude/settings.json":"code",".claude/settings.local.json":"code",".mcp.json":"code",".vscode/mcp.json":"code",".github/mcp.json":"code",".github/lsp.json":"code",".github/hooks":"code",".github/extensions":"code",".github/copilot":"code",".github/allowed_models.txt":"permissions",".github/copilot-instructions.md":"instructions",".github/{agents,instructions,prompts,skills}/**/*.md":"instructions"},keys:{...T,".github/hooks/dacapo.json":[],".claude/settings.json":j,".claude/settings.local.json":j},frontMatter:[...k,...ae,"applyTo","tools"]},droid:{folders:[".factory"],files:{..._,...y,...F,"**/{CLAUDE,Claude,Agents,agents}.md":"instructions",[ht]:"instructions",".claude/agents/**/*.md":"instructions",".claude/commands/**/*.md":"instructions",".mcp.json":"code",".factory/settings.json":"code",".factory/settings.local.json":"code",".factory/hooks.json":"code",".factory/hooks":"code",".factory/mcp.json":"code",".factory/mcp.local.json":"code",".factory/plugins":"code",".factory/{commands,droids,skills,rules,docs,memories}/**/*.md":"instructions",".factory/*.md":"instructions"},keys:{...T,".factory/mcp.json":[],".factory/settings.json":[]},frontMatter:[...k,"model","tools"]},qwen:{folders:[".qwen"],files:{..._,...y,"**/QWEN.md":"instructions",".env":"sends",".qwen/.env":"sends",".mcp.json":"code",".lsp.json":"code",".qwenignore":"harmless",".qwen/settings.json":"code",".qwen/extensions":"code",".qwen/workflows":"code",".qwen/*.md":"instructions",".qwen/{agents,commands,skills,team-memory}/**/*.md":"instructions"},keys:{...T,".qwen/settings.json":["stopHookBlockingCap","$version"]},frontMatter:[...k,"model"]},gemini:{folders:[".gemini"],files:{..._,...y,"**/GEMINI.md":"instructions",".env":"sends",".gemini/.env":"sends",".geminiignore":"harmless",".gemini/settings.json":"code",".gemini/extensions":"code",".gemini/policies":"permissions",".gemini/*.md":"instructions",".gemini/skills/**/*.md":"instructions"},keys:{".gemini/settings.json":[]},frontMatter:k},opencode:{folders:[".opencode"],files:{..._,...y,...F,"**/CLAUDE.md":"instructions",[_t]:"instructions","opencode.json":"code","opencode.jsonc":"code",".opencode/opencode.json":"code",".opencode/opencode.jsonc":"code",".opencode/{plugin,plugins,tool,tools}":"code",".opencode/{agent,agents,command,commands,mode,modes,skill,skills}/**/*.md":"instructions",".opencode/themes":"harmless",".opencode/{node_modules,package.json,package-lock.json,bun.lock,.gitignore}":"harmless"},keys:Object.fromEntries(["opencode.json","opencode.jsonc",".opencode/opencode.json",".opencode/opencode.jsonc"].map(e=>[e,N("$schema theme keybinds model small_model")])),frontMatter:[...k,"model","temperature"]},pi:{folders:[".pi"],files:{..._,...y,"**/CLAUDE.md":"instructions",".pi/settings.json":"code",".pi/extensions":"code",".pi/themes":"harmless",".pi/*.md":"instructions",".pi/{prompts,skills}/**/*.md":"instructions"},keys:{".pi/settings.json":["theme"]},frontMatter:[...k,"disable-model-invocation"]}},G="\uFEFF";function kt(e){let t=e.replace(G,"");return t.trim()===""?{}:J(f,t)}function Oe(e,t){let n=/^\uFEFF?\{\r?\n([ \t]+)/.exec(t)?.[1]??"  ",s=t.includes(`\r
`)?`\r
`:`
`,i=t.trim()===""||t.endsWith(`
`)?s:"";return(t.startsWith(G)?G:"")+JSON.stringify(e,null,n).replaceAll(`
`,s)+i}function bt(e){return e+ft}function St(e){if(H(e))try{We(e,bt(e),x.COPYFILE_EXCL)}catch(t){if(X(t)!=="EEXIST")throw t}}function we(e,t,n=420){ke(w(e),{recursive:!0});let s=H(e)?$(e):e,i=`${s}.${process.pid}.tmp`;be(i,{force:!0}),Ge(i,t,{flag:"wx",mode:(Y(s,{throwIfNoEntry:!1})?.mode??n)&511}),Be(i,s)}var vt=b({created:U,former:W(u),written:u,places:E(u),hadEnv:U,cap:U,statusLine:V(Ke("added","wrapped")),commands:E(b({path:u,hash:u})),excluded:E(u),folders:E(u)});function yt(e){return h(e,"installed.json")}function Et(e,t,n){let s={written:"",cap:!1,commands:[],excluded:[],folders:[]};if(n!==null)return{...n,former:Z(e??"")===n.written?n.former:null};let[i,o]=[gt(t),f(t.env)];return{...s,created:e===null,former:e,places:i,hadEnv:o}}function Ot(e,t){return Ae(e)[t]??null}function wt(e,t,n){let{[t]:s,...i}=Ae(e),o=n===null?i:{...i,[t]:n};if(Object.keys(o).length===0)return be(e,{force:!0});ke(w(e),{recursive:!0,mode:448}),we(e,Oe(o,""),384)}function Ae(e){let t=R(f,()=>C(e,"utf8"))??{};return Object.fromEntries(Object.entries(t).filter(n=>vt(n[1])))}var xe="0";function Ie(e,t){let n=h(e,".claude","settings.local.json");try{if(Ye(n,e)||L(n,{throwIfNoEntry:!1})?.isFile()===!1)return!1;let s=Ee(n),i=kt(s??"");if(i===null)return!1;if(B(i)===xe)return!0;let o=Oe(Ne(i),s??""),r=yt(t),a=Et(s,i,Ot(r,n));return wt(r,n,{...a,written:Z(o),cap:B(i)===null,folders:[...a.folders,...H(w(n))?[]:[w(n)]]}),St(n),we(n,o),!0}catch{return!1}}function Ne(e){return{...e,env:{...I(e,"env"),[z]:xe}}}function B(e){let t=I(e,"env")[z];return typeof t=="string"||typeof t=="number"?String(t):null}var At=/<(\/?)(promise|loop-done|issue-complete|grind-done)(?=[\s>/])/gi;function xt(e){let t=new RegExp("(?![\\t\\n])\\p{Cc}(?:\\[[0-9;?]*[ -/]*[@-~])?|[\\u202A-\\u202E\\u2066-\\u2069]","gu");return e.replace(/\r\n?/g,`
`).replace(t,"").replace(At,"\u2039$1$2")}function Te(e,t){let n=xt(e).replace(/\s+/g," ").trim();return n.length>t?`${It(n,t-1)}\u2026`:n}function It(e,t){return e.slice(0,t).replace(/[\uD800-\uDBFF]$/,"")}var Fn="`".repeat(8),Nt={billing_error:"billing",authentication_failed:"auth",oauth_org_not_allowed:"auth",account_on_hold:"auth",verification_required:"auth",cloud_credential_error:"auth",model_not_found:"model"};var Tt=new Map([["ralph","start"],["cancel-ralph","cancel"],["resume-ralph","resume"],["ralph-status","status"],["approve-ralph","approve"],["reject-ralph","reject"],["answer-ralph","answer"]]),jt=400;function Lt(e,t,n){switch(e.hook_event_name){case"SessionStart":{let{source:s}=e;return s==="resume"||s==="clear"||s==="compact"?{is:"session-start",from:t,source:s}:null}case"UserPromptExpansion":return je(e,t,n);case"StopFailure":return Ft(e,t);default:return null}}function je(e,t,n){let s=p(e,"command_name"),i=s.lastIndexOf(":"),o=s.slice(0,i+1),r=Tt.get(s.slice(i+1));return r===void 0||o!==""&&o!=="dacapo:"?null:{is:"command",from:t,command:r,args:p(e,"command_args"),...Ct.has(r)&&!Rt(e,t,n)&&{isAnyones:!0},...Le(e,t,n)}}var Ct=new Set(["approve","reject","answer"]),Mt=/^disable-model-invocation: true$/m;function Rt(e,{project:t},n){let s=p(e,"command_name"),i=Dt.get(p(e,"command_source"));if(i==="plugin")return s.startsWith("dacapo:");if(i===void 0||s.includes(":"))return!1;let o=He(i,{project:t,env:n,platform:process.platform});return Mt.test(Ee(h(o,`${s}.md`))??"")}var Dt=new Map([["plugin","plugin"],["projectSettings","project"],["userSettings","user"]]);function Le(e,{project:t},n){let s=n.CLAUDE_PLUGIN_OPTION_LIFT_CAP==="true",i=Ut.get(p(e,"permission_mode"));return{cap:tt(n),liftCap:s?o=>Ie(t,o):null,...i!==void 0&&{hindrance:i}}}var le="this session asks you before edits and commands, and the loop waits until you answer. Shift+Tab changes that.",Ut=new Map([["plan","this session is in plan mode, so the agent can't change a file. Shift+Tab leaves it."],["dontAsk","this session denies every edit and command that its settings do not allow."],["default",le],["manual",le]]);function Ft(e,t){let n=p(e,"error")||"unknown";return{is:"fault",from:t,error:n,detail:Te(p(e,"error_details")||p(e,"last_assistant_message"),jt),fatal:Nt[n]??null,login:Ze}}function Pt(e,t){let n=Gt(e.background_tasks);return t?[...n,...Ce(e.session_crons)]:n}var $t=new Map([["subagent","agent"],["workflow","agent"],["shell","shell"]]),Wt=["completed","failed","killed"];function Gt(e){return Se(e).flatMap(t=>{let n=$t.get(t.type);if(n===void 0||Wt.includes(t.status))return[];let s=p(t,"command")||p(t,"description");return[{id:p(t,"id"),kind:n,description:s}]})}var Bt=/^(\d+) (\d+) (\d+) (\d+) \*$/;function Ce(e,t=new Date){return Se(e).map(n=>{let{schedule:s,recurring:i}=n,o=i===!0||typeof s!="string"?null:Kt(s,t);return{id:p(n,"id"),kind:i===!0?"shell":"agent",description:p(n,"prompt"),...o!==null&&{due:o.toISOString()}}})}function Kt(e,t){let[,n,s,i,o]=Bt.exec(e)?.map(Number)??[];if(n===void 0||s===void 0||i===void 0||o===void 0)return null;let r=c=>new Date(c,o-1,i,s,n),a=r(t.getFullYear());return t.getTime()-a.getTime()>1440*6e4?r(t.getFullYear()+1):a}var qt=/^(?:.*\/)?(?:(?:[a-z-]+\.)*anthropic\.)?/,Ht=/\[[^\]]*\]$/,Yt=/(?:[-@](?:latest|preview(?:-\d\d-\d{2,4})?|\d{4}-\d\d-\d\d|\d{8})|(?<=\d)-v1(?::\d)?)+$/;function Vt(e){return e.toLowerCase().replace(qt,"").replace(Ht,"").replace(Yt,"").replaceAll(".","-")}var Jt=`
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
`,P=[150,600,150],Xt={"claude-haiku-5-5":{input:.1,output:.5,cacheRead:.01,long:{above:1e5,times:5}},"claude-sonnet-5-5":{input:2,output:10,cacheRead:.1},"claude-fable-5-2":{input:8,output:40,cacheRead:.2},"claude-mythos-5-2":{input:8,output:40,cacheRead:.2},"claude-mythos-5-1":{input:10,output:50,cacheRead:.25},"claude-mythos-5":{input:10,output:50,cacheRead:1}},zt=/^claude-opus-4-[567]$/,Zt=6,Qt={input:P[0],output:P[1],cacheRead:P[2],fast:1},en=1.25,tn=b({input:A,output:A,cachedInput:V(A)}),ce=null,Me=e=>(ce??=nn(),ce.get(Vt(e))??null);function nn(){let e=Jt.trim().split(`
`).flatMap(t=>{let[n,s,i,...o]=t.split(" "),r={input:Number(n),output:Number(s),cacheRead:Number(i)};return o.map(a=>[a,zt.test(a)?{...r,fast:Zt}:r])});return new Map([...e,...Object.entries(Xt)])}function sn(e){let t=I(R(f,e)??{},"prices");return n=>{let s=t[n];return tn(s)?{...s,cacheRead:s.cachedInput??s.input}:Me(n)}}function on({input:e,output:t,cacheRead:n},s){return(e*(s.input+en*s.cacheWrite)+t*s.output+n*s.cacheRead)/1e6}var rn='"prices" in config.json takes a price of your own, and --max-tokens needs none';function an(e){return`the price of ${e} is not known, so it is counted like the dearest model; ${rn}`}var ln=2/1.25,cn=2,un=.01,dn=1.1;function mn(e,t,n=Me){let s=n(e)??Qt,{fast:i=cn,long:o}=s,{input:r,output:a,cacheRead:c,cache5m:l,cache1h:d}=t,g=(t.fast?i:1)*(t.usOnly?dn:1)*(o!==void 0&&Re(t)-a>o.above?o.times:1),m=l+ln*d;return g*on(s,{input:r,output:a,cacheRead:c,cacheWrite:m})+un*t.searches}function Re({input:e,output:t,cacheRead:n,cache5m:s,cache1h:i}){return e+t+n+s+i}function pn(e){let t=O(e,"cache_creation_input_tokens"),n=I(e,"cache_creation"),s=Math.min(t,O(n,"ephemeral_1h_input_tokens"));return{input:O(e,"input_tokens"),output:O(e,"output_tokens"),cacheRead:O(e,"cache_read_input_tokens"),cache5m:t-s,cache1h:s,searches:O(I(e,"server_tool_use"),"web_search_requests"),fast:e.speed==="fast",usOnly:e.inference_geo==="us"}}function O(e,t){let n=e[t];return typeof n=="number"&&Number.isSafeInteger(n)&&n>0?n:0}var K=1024*1024,gn=32*1024*1024,fn=256*1024*1024,ue='"usage":{',q=10,hn=/"timestamp":"(\d{4}-[^"]{6,30})"/;function _n(e,t,n,s){return De(e,t??0,i=>{let{size:o}=fe(i),r=t===null||t>o?vn(i,o,n):t;return bn(i,r,o,s)})}function De(e,t,n){let s;try{s=ge(e,Q)}catch{return t}try{return n(s)}finally{he(s)}}var kn=256;function Ue(e,t){let n=Math.max(0,t-kn);return De(e,"",s=>Z(ee(s,n,t-n).toString("latin1")))}function bn(e,t,n,s){let i=Buffer.alloc(0),o=t;for(let r=t;r<n;){let a=ee(e,r,Math.min(K,n-r));if(a.length===0)break;r+=a.length;let c=i.length===0?a:Buffer.concat([i,a]),l=c.lastIndexOf(q)+1;Sn(c.subarray(0,l),s),o+=l,i=c.subarray(l),i.length>gn&&(o+=i.length,i=Buffer.alloc(0))}return o}function Sn(e,t){for(let n=e.indexOf(ue);n!==-1;){let s=e.indexOf(q,n);t(e.toString("utf8",e.lastIndexOf(q,n)+1,s)),n=e.indexOf(ue,s)}}function vn(e,t,n){for(let s=t;s>0;s-=K){let i=Math.max(0,s-K);if(i===0||t-i>=fn)return i;let o=ee(e,i,s-i).toString("latin1"),[,r]=hn.exec(o)??[];if(r!==void 0&&!n(r))return i}return 0}function ee(e,t,n){let s=Buffer.allocUnsafe(n);return s.subarray(0,_e(e,s,0,n,t))}function yn(e){let t=J(f,e);if(t?.type!=="assistant")return null;let{message:n,timestamp:s}=t;if(!f(n)||typeof s!="string")return null;let{id:i,model:o,usage:r}=n;return typeof i!="string"||typeof o!="string"||!f(r)?null:{id:i,model:o,timestamp:s,usage:pn(r)}}var de=200,En=8,On=8;async function wn(e,t,n,s){let i=t.session.owner?.session??"",o=R(Mn,n.read),r=o?.session===i?o:{...Rn,session:i,before:t.spent},a=o===null?t.last===null:o.session!==i,c=An(e,r.main,a),l=(o===null||c?.is==="rewritten")&&t.last!==null?t.last.at:null,d=In(t,l),g=new jn(r.counted,r.unpriced,sn(s)),m=c?.is==="unread"?r.main:g.read(e,r.main,d),S=Nn(e,r,d,g),v={...r,main:m,...S,counted:g.counted,unpriced:g.unpriced};return n.write(JSON.stringify(v)),{used:xn(v,t.spent),note:Ln(r,v),trouble:c&&{is:"uncounted",why:c.why}}}function An(e,t,n){let s=(i,o)=>({is:i,why:`the transcript of the session ${o}, so what it has used can't be counted: ${Te(e,200)}`});try{if(n&&L(e,{throwIfNoEntry:!1})===void 0)return null;let i=Y(e,{throwIfNoEntry:!1});return i===void 0?s("unread","is not there"):i.isFile()?i.size<(t?.upTo??0)?s("rewritten","has shrunk"):Fe(e,t)?s("rewritten","was rewritten"):null:s("unread","is not a regular file")}catch(i){return s("unread",`can't be read (${X(i)})`)}}function Fe(e,t){return!!t?.seen&&Ue(e,t?.upTo??0)!==t?.seen}function xn({before:e,counted:t},n){return{costUsd:Math.max(0,e.costUsd+t.costUsd-n.costUsd),tokens:Math.max(0,e.tokens+t.tokens-n.tokens),estimated:!0}}function In({startedAt:e,clock:{since:t,until:n}},s){let i=n===null?Number.NEGATIVE_INFINITY:Date.parse(n),o=t===null?Number.NEGATIVE_INFINITY:Date.parse(t),r=Date.parse(s??e);return a=>{let c=Date.parse(a);return c>=r&&!(c>=i&&c<o)}}function Nn(e,t,n,s){let i=h(e.replace(/\.jsonl$/,""),"subagents"),o=new Map(t.agents.map(l=>[l.name,l])),r=l=>n(l)&&(t.forgotten===null||l>t.forgotten);for(let{name:l,changed:d,size:g}of Tn(i)){let m=o.get(l);if(m===void 0&&t.forgotten!==null&&d<=t.forgotten||m!==void 0&&m.changed===d&&m.upTo===g)continue;let S=s.read(h(i,l),m??null,m===void 0?r:n);o.set(l,{name:l,changed:d,...S})}let a=[...o.values()].toSorted((l,d)=>l.changed<d.changed?1:-1),c=a[de]?.changed??t.forgotten;return{agents:a.slice(0,de),forgotten:c}}function Tn(e){try{return pe(e,{recursive:!0,encoding:"utf8"}).filter(t=>t.endsWith(".jsonl")).map(t=>{let{mtime:n,size:s}=Y(h(e,t));return{name:t,changed:n.toISOString(),size:s}})}catch{return[]}}var jn=class{constructor(e,t,n){this.counted=e,this.unpriced=t,this.prices=n}counted;unpriced;prices;read(e,t,n){let s=t?.messages??[],i=Fe(e,t)?null:t?.upTo??null,o=_n(e,i,n,r=>{let a=yn(r);if(a===null||!n(a.timestamp))return;let{id:c,model:l,usage:d}=a,g=Re(d);if(g===0)return;let m=mn(l,d,this.prices),S=s.find(v=>v.id===c);s=[...s.filter(v=>v!==S),{id:c,costUsd:m,tokens:g}].slice(-En),this.counted={costUsd:this.counted.costUsd+Math.max(0,m-(S?.costUsd??0)),tokens:this.counted.tokens+Math.max(0,g-(S?.tokens??0))},this.prices(l)===null&&!this.unpriced.includes(l)&&(this.unpriced=[...this.unpriced,l].slice(-On))});return{upTo:o,messages:s,seen:Ue(e,o)}}};function Ln(e,t){let n=t.unpriced.filter(s=>!e.unpriced.includes(s));return n.length===0?null:`Da Capo: ${an(n.join(", ").slice(0,200))}.`}var me=b({costUsd:A,tokens:M}),Pe=E(b({id:u,costUsd:A,tokens:M})),$e=V(u),Cn=b({upTo:M,messages:Pe,seen:$e}),Mn=b({session:u,before:me,counted:me,main:W(Cn),agents:E(b({name:u,changed:u,upTo:M,messages:Pe,seen:$e})),forgotten:W(u),unpriced:E(u)}),Rn={counted:{costUsd:0,tokens:0},main:null,agents:[],forgotten:null,unpriced:[]};module.exports={wake:rt,serverSession:at,liftCap:Ie,withoutCap:Ne,capSet:B,rareEventOf:Lt,commandOf:je,setupOf:Le,backgroundOf:Pt,wakeUpsOf:Ce,countUsage:wn};
