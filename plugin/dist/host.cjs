var{lstatSync:C,realpathSync:pe,readdirSync:ge,readFileSync:L,constants:x,openSync:fe,fstatSync:he,closeSync:_e,readSync:ke,existsSync:K,copyFileSync:Ge,mkdirSync:be,rmSync:Se,writeFileSync:Be,statSync:H,renameSync:Ke}=require("node:fs"),{join:h,resolve:ee,dirname:w,sep:te}=require("node:path"),u=e=>typeof e=="string",D=e=>typeof e=="boolean",M=e=>Number.isSafeInteger(e)&&Number(e)>=0,A=e=>Number.isFinite(e)&&Number(e)>=0;function He(...e){return t=>e.some(n=>n===t)}function P(e){return t=>t===null||e(t)}function y(e){return t=>Array.isArray(t)&&t.every(n=>e(n))}function q(e){return t=>t===void 0||e(t)}function b(e){return t=>f(t)&&qe(t,e)}function qe(e,t){for(let n in t)if(t[n]?.(e[n])!==!0)return!1;return!0}function f(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)}function I(e,t){let n=e[t];return f(n)?n:{}}function Ee(e){return Array.isArray(e)?e.filter(f):[]}function p(e,t){let n=e[t];return u(n)?n:""}function Y(e,t){try{let n=JSON.parse(t??"null");return e(n)?n:null}catch{return null}}function R(e,t){return X(()=>Y(e,t()),null)}function X(e,t){try{return e()}catch{return t}}function V(e){return e instanceof Error&&"code"in e?String(e.code):String(e)}function ve(e){return e.CLAUDE_CONFIG_DIR||h(e.HOME??e.USERPROFILE??"",".claude")}function Ye(e,{project:t,env:n}){return h(e==="user"?ve(n):h(t,".claude"),"commands")}function Xe(e,t){let n=ee(e);if(!ne(n,ee(t)))return!1;for(let s=n;;s=w(s)){if(C(s,{throwIfNoEntry:!1})===void 0&&w(s)!==s)continue;let[i,o]=[se(s),se(t)];return i===null||o===null||!ne(i,o)}}function ne(e,t){return e===t||e.startsWith(t.endsWith(te)?t:t+te)}function se(e){try{return pe(e)}catch{return null}}function Ve(e){return X(()=>ge(e).sort(),[])}function Je(e){try{return process.kill(e,0),ze(e)}catch{return!0}}function ze(e){return process.platform!=="linux"?!1:/\) Z/.test(X(()=>L(`/proc/${e}/stat`,"latin1"),""))}var Ze="claude-code",Qe="start claude, type /login",et={stopMs:6e5,text:9e3,lagMs:250,toolResetsCap:!0},tt=8,J="CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";function nt(e){let t=e[J],n=t===void 0||!/^-?\d+$/.test(t.trim())?tt:Number(t);return n>0?n:null}function st(e){return it(e.CLAUDE_PLUGIN_ROOT===void 0?"project":"plugin")}function it(e){let t=e==="project"?"/":"/dacapo:";return{resume:`${t}resume-ralph`,cancel:`${t}cancel-ralph`,approve:`${t}approve-ralph`,reject:`${t}reject-ralph`,answer:`${t}answer-ralph`}}var ot="CLAUDE_PROJECT_DIR",rt=2;function at(){return{isIdle:(e,t)=>ye(t).some(n=>n.session===e.session&&n.idle),encode:e=>({stdout:"",stderr:e,exit:rt})}}function ye(e){let t=h(ve(e),"sessions");return Ve(t).filter(n=>/^\d+\.json$/.test(n)).flatMap(n=>{let s=R(f,()=>L(h(t,n),"utf8")),{pid:i,sessionId:o,status:r}=s??{};return typeof i!="number"||typeof o!="string"||Je(i)?[]:[{pid:i,session:o,idle:r==="idle"}]})}function lt(e,t){let n=e.CLAUDE_CODE_SESSION_ID,s=e[ot];if(!n||!s)return null;let i=ye(e),o=i.find(({pid:r})=>r===t)??i.find(({session:r})=>r===n);return{host:Ze,limits:et,session:o?.session??n,project:s,process:o?.pid??null,prompt:null,commands:st(e)}}function z(e){let t=new Uint8Array(Buffer.from(e+"\0".repeat(ie))),n=new Uint32Array(t.buffer,0,t.length>>4<<2),s=t.length-ie,{imul:i}=Math,o=2654435769^s,r=1103547991^s,a=2246822507^s,c=3735928559^s;for(let l=0;l<n.length;l+=4)o=i(o^c^(n[l]??0),2654435761),o^=o>>>15,r=i(r^o^(n[l+1]??0),1597334677),r^=r>>>13,a=i(a^r^(n[l+2]??0),2246822519),a^=a>>>14,c=i(c^a^(n[l+3]??0),3266489917),c^=c>>>16;return oe(o,r)+oe(a,c)}var ie=31;function oe(e,t){let n=Math.imul(e^e>>>16,2246822507)^Math.imul(t^t>>>13,3266489909);return(4294967296*(2097151&(Math.imul(t^t>>>16,2246822507)^Math.imul(n^n>>>13,3266489909)))+(n>>>0)).toString(36).padStart(11,"0")}var Z=x.O_RDONLY|(x.O_NONBLOCK??0),ct=Z|(x.O_NOFOLLOW??0),re=16*1024*1024,ut="\uFFFD",dt=["EBUSY","EMFILE","ENFILE","EAGAIN","ETXTBSY"];function mt(e,t=ct){let n;try{n=fe(e,t)}catch(s){let i=V(s);return i==="ENOENT"?{is:"gone"}:{is:"unreadable",why:i,passing:dt.includes(i)}}try{let s=he(n);if(!s.isFile()||!x.O_NOFOLLOW&&C(e).isSymbolicLink())return{is:"unreadable",why:"not a regular file",passing:!1};if(s.size>re)return{is:"unreadable",why:`larger than ${re/1024/1024} MB`,passing:!1};let i=L(n,"utf8"),o=i.includes(ut)?pt(n,s.size):null;return{is:"content",content:i,get bytes(){return o??Buffer.from(i)},modifiedMs:s.mtimeMs}}finally{_e(n)}}function pt(e,t){let n=Buffer.alloc(t);return n.subarray(0,ke(e,n,0,t,0))}function Oe(e){let t=mt(e,Z);if(t.is==="unreadable")throw Object.assign(new Error(`${e} can't be read (${t.why})`),{code:t.why,path:e});return t.is==="gone"?null:t.content}var Fn=4*1024*1024;var gt="hooks:";function ft(e){let{hooks:t}=e;return f(t)?[gt,...Object.keys(t)]:[]}var ht=".before-dacapo",N=e=>e.trim().split(/\s+/),_={"**/AGENTS.md":"instructions","**/AGENTS.override.md":"instructions"},_t="**/{DESIGN,Design,design}.md",kt="**/CONTEXT.md",T={".mcp.json":[]},v={".agents/skills/**/*.md":"instructions"},F={".claude/skills/**/*.md":"instructions"},k=N("name description title color license version tags author metadata argument-hint"),ae=N("model effort"),j=N(`$schema model fallbackModel effortLevel maxEffortLevel alwaysThinkingEnabled
  language outputStyle respectGitignore cleanupPeriodDays attribution includeCoAuthoredBy
  includeGitInstructions companyAnnouncements spinnerTipsEnabled spinnerVerbs spinnerTipsOverride viewMode
  maxProseWidth spellcheck syntaxHighlightingDisabled disabledMcpjsonServers deniedMcpServers
  disableWorkflows disableSkillShellExecution disableClaudeAiConnectors disableBundledSkills
  promptSuggestionEnabled emojiCompletionEnabled awaySummaryEnabled breakReminder quietHours`),Un={"claude-code":{folders:[".claude"],files:{..._,"**/CLAUDE.md":"instructions",".mcp.json":"code",".claude/*.md":"instructions",".claude/{agents,commands,skills,rules,output-styles}/**/*.md":"instructions",".claude/settings.json":"code",".claude/settings.local.json":"code",".claude/worktrees":"harmless",".claude/*.local.md":"harmless","**/CLAUDE.local.md":"instructions",".claude/data":"harmless"},keys:{...T,".claude/settings.json":j,".claude/settings.local.json":j},frontMatter:[...k,...ae,...N("tools disallowedTools user-invocable disable-model-invocation when_to_use paths keep-coding-instructions")]},codex:{folders:[".codex"],files:{..._,...v,".agents/plugins":"code",".codex/config.toml":"code",".codex/hooks.json":"code",".codex/agents":"code",".codex/rules":"permissions",".codex/skills/**/*.md":"instructions",".codex/prompts/*.md":"instructions"},keys:{".codex/hooks.json":[]},frontMatter:k},copilot:{folders:[".github/copilot",".github/hooks",".github/extensions",".copilot"],files:{..._,...v,...F,"**/CLAUDE.md":"instructions","**/GEMINI.md":"instructions","**/{Agents,agents,Claude,claude,Gemini,gemini}.md":"instructions",".claude/rules/**/*.md":"instructions",".claude/settings.json":"code",".claude/settings.local.json":"code",".mcp.json":"code",".vscode/mcp.json":"code",".github/mcp.json":"code",".github/lsp.json":"code",".github/hooks":"code",".github/extensions":"code",".github/copilot":"code",".github/allowed_models.txt":"permissions",".github/copilot-instructions.md":"instructions",".github/{agents,instructions,prompts,skills}/**/*.md":"instructions"},keys:{...T,".github/hooks/dacapo.json":[],".claude/settings.json":j,".claude/settings.local.json":j},frontMatter:[...k,...ae,"applyTo","tools"]},droid:{folders:[".factory"],files:{..._,...v,...F,"**/{CLAUDE,Claude,Agents,agents}.md":"instructions",[_t]:"instructions",".claude/agents/**/*.md":"instructions",".claude/commands/**/*.md":"instructions",".mcp.json":"code",".factory/settings.json":"code",".factory/settings.local.json":"code",".factory/hooks.json":"code",".factory/hooks":"code",".factory/mcp.json":"code",".factory/mcp.local.json":"code",".factory/plugins":"code",".factory/{commands,droids,skills,rules,docs,memories}/**/*.md":"instructions",".factory/*.md":"instructions"},keys:{...T,".factory/mcp.json":[],".factory/settings.json":[]},frontMatter:[...k,"model","tools"]},qwen:{folders:[".qwen"],files:{..._,...v,"**/QWEN.md":"instructions",".env":"sends",".qwen/.env":"sends",".mcp.json":"code",".lsp.json":"code",".qwenignore":"harmless",".qwen/settings.json":"code",".qwen/extensions":"code",".qwen/workflows":"code",".qwen/*.md":"instructions",".qwen/{agents,commands,skills,team-memory}/**/*.md":"instructions"},keys:{...T,".qwen/settings.json":["stopHookBlockingCap","$version"]},frontMatter:[...k,"model"]},gemini:{folders:[".gemini"],files:{..._,...v,"**/GEMINI.md":"instructions",".env":"sends",".gemini/.env":"sends",".geminiignore":"harmless",".gemini/settings.json":"code",".gemini/extensions":"code",".gemini/policies":"permissions",".gemini/*.md":"instructions",".gemini/skills/**/*.md":"instructions"},keys:{".gemini/settings.json":[]},frontMatter:k},opencode:{folders:[".opencode"],files:{..._,...v,...F,"**/CLAUDE.md":"instructions",[kt]:"instructions","opencode.json":"code","opencode.jsonc":"code",".opencode/opencode.json":"code",".opencode/opencode.jsonc":"code",".opencode/{plugin,plugins,tool,tools}":"code",".opencode/{agent,agents,command,commands,mode,modes,skill,skills}/**/*.md":"instructions",".opencode/themes":"harmless",".opencode/{node_modules,package.json,package-lock.json,bun.lock,.gitignore}":"harmless"},keys:Object.fromEntries(["opencode.json","opencode.jsonc",".opencode/opencode.json",".opencode/opencode.jsonc"].map(e=>[e,N("$schema theme keybinds model small_model")])),frontMatter:[...k,"model","temperature"]},pi:{folders:[".pi"],files:{..._,...v,"**/CLAUDE.md":"instructions",".pi/settings.json":"code",".pi/extensions":"code",".pi/themes":"harmless",".pi/*.md":"instructions",".pi/{prompts,skills}/**/*.md":"instructions"},keys:{".pi/settings.json":["theme"]},frontMatter:[...k,"disable-model-invocation"]}},$="\uFEFF";function bt(e){let t=e.replace($,"");return t.trim()===""?{}:Y(f,t)}function we(e,t){let n=/^\uFEFF?\{\r?\n([ \t]+)/.exec(t)?.[1]??"  ",s=t.includes(`\r
`)?`\r
`:`
`,i=t.trim()===""||t.endsWith(`
`)?s:"";return(t.startsWith($)?$:"")+JSON.stringify(e,null,n).replaceAll(`
`,s)+i}function St(e){return e+ht}function Et(e){if(K(e))try{Ge(e,St(e),x.COPYFILE_EXCL)}catch(t){if(V(t)!=="EEXIST")throw t}}function Ae(e,t,n=420){be(w(e),{recursive:!0});let s=K(e)?pe(e):e,i=`${s}.${process.pid}.tmp`;Se(i,{force:!0}),Be(i,t,{flag:"wx",mode:(H(s,{throwIfNoEntry:!1})?.mode??n)&511}),Ke(i,s)}var vt=b({created:D,former:P(u),written:u,places:y(u),hadEnv:D,cap:D,statusLine:q(He("added","wrapped")),commands:y(b({path:u,hash:u})),excluded:y(u),folders:y(u)});function yt(e){return h(e,"installed.json")}function Ot(e,t,n){let s={written:"",cap:!1,commands:[],excluded:[],folders:[]};if(n!==null)return{...n,former:z(e??"")===n.written?n.former:null};let[i,o]=[ft(t),f(t.env)];return{...s,created:e===null,former:e,places:i,hadEnv:o}}function wt(e,t){return xe(e)[t]??null}function At(e,t,n){let{[t]:s,...i}=xe(e),o=n===null?i:{...i,[t]:n};if(Object.keys(o).length===0)return Se(e,{force:!0});be(w(e),{recursive:!0,mode:448}),Ae(e,we(o,""),384)}function xe(e){let t=R(f,()=>L(e,"utf8"))??{};return Object.fromEntries(Object.entries(t).filter(n=>vt(n[1])))}var Ie="0";function Ne(e,t){let n=h(e,".claude","settings.local.json");try{if(Xe(n,e)||C(n,{throwIfNoEntry:!1})?.isFile()===!1)return!1;let s=Oe(n),i=bt(s??"");if(i===null)return!1;if(W(i)===Ie)return!0;let o=we(Te(i),s??""),r=yt(t),a=Ot(s,i,wt(r,n));return At(r,n,{...a,written:z(o),cap:W(i)===null,folders:[...a.folders,...K(w(n))?[]:[w(n)]]}),Et(n),Ae(n,o),!0}catch{return!1}}function Te(e){return{...e,env:{...I(e,"env"),[J]:Ie}}}function W(e){let t=I(e,"env")[J];return typeof t=="string"||typeof t=="number"?String(t):null}var xt=/<(\/?)(promise|loop-done|issue-complete|grind-done)(?=[\s>/])/gi;function It(e){let t=new RegExp("(?![\\t\\n])\\p{Cc}(?:\\[[0-9;?]*[ -/]*[@-~])?|[\\u202A-\\u202E\\u2066-\\u2069]","gu");return e.replace(/\r\n?/g,`
`).replace(t,"").replace(xt,"\u2039$1$2")}function je(e,t){let n=It(e).replace(/\s+/g," ").trim();return n.length>t?`${Nt(n,t-1)}\u2026`:n}function Nt(e,t){return e.slice(0,t).replace(/[\uD800-\uDBFF]$/,"")}var Pn="`".repeat(8),Tt={billing_error:"billing",authentication_failed:"auth",oauth_org_not_allowed:"auth",account_on_hold:"auth",verification_required:"auth",cloud_credential_error:"auth",model_not_found:"model"};var jt=new Map([["ralph","start"],["cancel-ralph","cancel"],["resume-ralph","resume"],["ralph-status","status"],["approve-ralph","approve"],["reject-ralph","reject"],["answer-ralph","answer"]]),Ct=400;function Lt(e,t,n){switch(e.hook_event_name){case"SessionStart":{let{source:s}=e;return s==="resume"||s==="clear"||s==="compact"?{is:"session-start",from:t,source:s}:null}case"UserPromptExpansion":return Ce(e,t,n);case"StopFailure":return Pt(e,t);default:return null}}function Ce(e,t,n){let s=p(e,"command_name"),i=s.lastIndexOf(":"),o=s.slice(0,i+1),r=jt.get(s.slice(i+1));return r===void 0||o!==""&&o!=="dacapo:"?null:{is:"command",from:t,command:r,args:p(e,"command_args"),...Mt.has(r)&&!Dt(e,t,n)&&{isAnyones:!0},...Le(e,t,n)}}var Mt=new Set(["approve","reject","answer"]),Rt=/^disable-model-invocation: true$/m;function Dt(e,{project:t},n){let s=p(e,"command_name"),i=Ft.get(p(e,"command_source"));if(i==="plugin")return s.startsWith("dacapo:");if(i===void 0||s.includes(":"))return!1;let o=Ye(i,{project:t,env:n,platform:process.platform});return Rt.test(Oe(h(o,`${s}.md`))??"")}var Ft=new Map([["plugin","plugin"],["projectSettings","project"],["userSettings","user"]]);function Le(e,{project:t},n){let s=n.CLAUDE_PLUGIN_OPTION_LIFT_CAP==="true",i=Ut.get(p(e,"permission_mode"));return{cap:nt(n),liftCap:s?o=>Ne(t,o):null,...i!==void 0&&{hindrance:i}}}var le="this session asks you before edits and commands, and the loop waits until you answer. Shift+Tab changes that.",Ut=new Map([["plan","this session is in plan mode, so the agent can't change a file. Shift+Tab leaves it."],["dontAsk","this session denies every edit and command that its settings do not allow."],["default",le],["manual",le]]);function Pt(e,t){let n=p(e,"error")||"unknown";return{is:"fault",from:t,error:n,detail:je(p(e,"error_details")||p(e,"last_assistant_message"),Ct),fatal:Tt[n]??null,login:Qe}}function $t(e,t){let n=Bt(e.background_tasks);return t?[...n,...Me(e.session_crons)]:n}var Wt=new Map([["subagent","agent"],["workflow","agent"],["shell","shell"]]),Gt=["completed","failed","killed"];function Bt(e){return Ee(e).flatMap(t=>{let n=Wt.get(t.type);if(n===void 0||Gt.includes(t.status))return[];let s=p(t,"command")||p(t,"description");return[{id:p(t,"id"),kind:n,description:s}]})}var Kt=/^(\d+) (\d+) (\d+) (\d+) \*$/;function Me(e,t=new Date){return Ee(e).map(n=>{let{schedule:s,recurring:i}=n,o=i===!0||typeof s!="string"?null:Ht(s,t);return{id:p(n,"id"),kind:i===!0?"shell":"agent",description:p(n,"prompt"),...o!==null&&{due:o.toISOString()}}})}function Ht(e,t){let[,n,s,i,o]=Kt.exec(e)?.map(Number)??[];if(n===void 0||s===void 0||i===void 0||o===void 0)return null;let r=c=>new Date(c,o-1,i,s,n),a=r(t.getFullYear());return t.getTime()-a.getTime()>1440*6e4?r(t.getFullYear()+1):a}var qt=/^(?:.*\/)?(?:(?:[a-z-]+\.)*anthropic\.)?/,Yt=/\[[^\]]*\]$/,Xt=/(?:[-@](?:latest|preview(?:-\d\d-\d{2,4})?|\d{4}-\d\d-\d\d|\d{8})|(?<=\d)-v1(?::\d)?)+$/;function Vt(e){return e.toLowerCase().replace(qt,"").replace(Yt,"").replace(Xt,"").replaceAll(".","-")}var Jt=`
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
`,U=[150,600,150],zt={"claude-haiku-5-5":{input:.1,output:.5,cacheRead:.01,long:{above:1e5,times:5}},"claude-sonnet-5-5":{input:2,output:10,cacheRead:.1},"claude-fable-5-2":{input:8,output:40,cacheRead:.2},"claude-mythos-5-2":{input:8,output:40,cacheRead:.2},"claude-mythos-5-1":{input:10,output:50,cacheRead:.25},"claude-mythos-5":{input:10,output:50,cacheRead:1}},Zt=/^claude-opus-4-[567]$/,Qt=6,en={input:U[0],output:U[1],cacheRead:U[2],fast:1},tn=1.25,nn=b({input:A,output:A,cachedInput:q(A)}),ce=null,Re=e=>(ce??=sn(),ce.get(Vt(e))??null);function sn(){let e=Jt.trim().split(`
`).flatMap(t=>{let[n,s,i,...o]=t.split(" "),r={input:Number(n),output:Number(s),cacheRead:Number(i)};return o.map(a=>[a,Zt.test(a)?{...r,fast:Qt}:r])});return new Map([...e,...Object.entries(zt)])}function on(e){let t=I(R(f,e)??{},"prices");return n=>{let s=t[n];return nn(s)?{...s,cacheRead:s.cachedInput??s.input}:Re(n)}}function rn({input:e,output:t,cacheRead:n},s){return(e*(s.input+tn*s.cacheWrite)+t*s.output+n*s.cacheRead)/1e6}var an='"prices" in config.json takes a price of your own, and --max-tokens needs none';function ln(e){return`the price of ${e} is not known, so it is counted like the most expensive model; ${an}`}var cn=2/1.25,un=2,dn=.01,mn=1.1;function pn(e,t,n=Re){let s=n(e)??en,{fast:i=un,long:o}=s,{input:r,output:a,cacheRead:c,cache5m:l,cache1h:d}=t,g=(t.fast?i:1)*(t.usOnly?mn:1)*(o!==void 0&&De(t)-a>o.above?o.times:1),m=l+cn*d;return g*rn(s,{input:r,output:a,cacheRead:c,cacheWrite:m})+dn*t.searches}function De({input:e,output:t,cacheRead:n,cache5m:s,cache1h:i}){return e+t+n+s+i}function gn(e){let t=I(e,"cache_creation"),n=I(e,"server_tool_use"),s=O(e,"cache_creation_input_tokens"),i=Math.min(s,O(t,"ephemeral_1h_input_tokens"));return{input:O(e,"input_tokens"),output:O(e,"output_tokens"),cacheRead:O(e,"cache_read_input_tokens"),cache5m:s-i,cache1h:i,searches:O(n,"web_search_requests"),fast:e.speed==="fast",usOnly:e.inference_geo==="us"}}function O(e,t){let n=e[t];return typeof n=="number"&&Number.isSafeInteger(n)&&n>0?n:0}var G=1024*1024,fn=32*1024*1024,hn=256*1024*1024,ue='"usage":{',B=10,_n=/"timestamp":"(\d{4}-[^"]{6,30})"/;function kn(e,t,n,s){return Fe(e,t??0,i=>{let{size:o}=he(i),r=t===null||t>o?vn(i,o,n):t;return Sn(i,r,o,s)})}function Fe(e,t,n){let s;try{s=fe(e,Z)}catch{return t}try{return n(s)}finally{_e(s)}}var bn=256;function Ue(e,t){let n=Math.max(0,t-bn);return Fe(e,"",s=>z(Q(s,n,t-n).toString("latin1")))}function Sn(e,t,n,s){let i=Buffer.alloc(0),o=t;for(let r=t;r<n;){let a=Q(e,r,Math.min(G,n-r));if(a.length===0)break;r+=a.length;let c=i.length===0?a:Buffer.concat([i,a]),l=c.lastIndexOf(B)+1;En(c.subarray(0,l),s),o+=l,i=c.subarray(l),i.length>fn&&(o+=i.length,i=Buffer.alloc(0))}return o}function En(e,t){for(let n=e.indexOf(ue);n!==-1;){let s=e.indexOf(B,n);t(e.toString("utf8",e.lastIndexOf(B,n)+1,s)),n=e.indexOf(ue,s)}}function vn(e,t,n){for(let s=t;s>0;s-=G){let i=Math.max(0,s-G);if(i===0||t-i>=hn)return i;let o=Q(e,i,s-i).toString("latin1"),[,r]=_n.exec(o)??[];if(r!==void 0&&!n(r))return i}return 0}function Q(e,t,n){let s=Buffer.allocUnsafe(n);return s.subarray(0,ke(e,s,0,n,t))}function yn(e){let t=Y(f,e);if(t?.type!=="assistant")return null;let{message:n,timestamp:s}=t;if(!f(n)||typeof s!="string")return null;let{id:i,model:o,usage:r}=n;return typeof i!="string"||typeof o!="string"||!f(r)?null:{id:i,model:o,timestamp:s,usage:gn(r)}}var de=200,On=8,wn=8;async function An(e,t,n,s){let i=t.session.owner?.session??"",o=R(Rn,n.read),r=o?.session===i?o:{...Dn,session:i,before:t.spent},a=o===null?t.last===null:o.session!==i,c=xn(e,r.main,a),l=(o===null||c?.is==="rewritten")&&t.last!==null?t.last.at:null,d=Nn(t,l),g=new Cn(r.counted,r.unpriced,on(s)),m=c?.is==="unread"?r.main:g.read(e,r.main,d),S=Tn(e,r,d,g),E={...r,main:m,...S,counted:g.counted,unpriced:g.unpriced};return n.write(JSON.stringify(E)),{used:In(E,t.spent),note:Ln(r,E),trouble:c&&{is:"uncounted",why:c.why}}}function xn(e,t,n){let s=(i,o)=>({is:i,why:`the transcript of the session ${o}, so what it has used can't be counted: ${je(e,200)}`});try{if(n&&C(e,{throwIfNoEntry:!1})===void 0)return null;let i=H(e,{throwIfNoEntry:!1});return i===void 0?s("unread","is not there"):i.isFile()?i.size<(t?.upTo??0)?s("rewritten","has shrunk"):Pe(e,t)?s("rewritten","was rewritten"):null:s("unread","is not a regular file")}catch(i){return s("unread",`can't be read (${V(i)})`)}}function Pe(e,t){return!!t?.seen&&Ue(e,t?.upTo??0)!==t?.seen}function In({before:e,counted:t},n){return{costUsd:Math.max(0,e.costUsd+t.costUsd-n.costUsd),tokens:Math.max(0,e.tokens+t.tokens-n.tokens),estimated:!0}}function Nn({startedAt:e,clock:{since:t,until:n}},s){let i=n===null?Number.NEGATIVE_INFINITY:Date.parse(n),o=t===null?Number.NEGATIVE_INFINITY:Date.parse(t),r=Date.parse(s??e);return a=>{let c=Date.parse(a);return c>=r&&!(c>=i&&c<o)}}function Tn(e,t,n,s){let i=h(e.replace(/\.jsonl$/,""),"subagents"),o=new Map(t.agents.map(l=>[l.name,l])),r=l=>n(l)&&(t.forgotten===null||l>t.forgotten);for(let{name:l,changed:d,size:g}of jn(i)){let m=o.get(l);if(m===void 0&&t.forgotten!==null&&d<=t.forgotten||m!==void 0&&m.changed===d&&m.upTo===g)continue;let S=s.read(h(i,l),m??null,m===void 0?r:n);o.set(l,{name:l,changed:d,...S})}let a=[...o.values()].toSorted((l,d)=>l.changed<d.changed?1:-1),c=a[de]?.changed??t.forgotten;return{agents:a.slice(0,de),forgotten:c}}function jn(e){try{return ge(e,{recursive:!0,encoding:"utf8"}).filter(t=>t.endsWith(".jsonl")).map(t=>{let{mtime:n,size:s}=H(h(e,t));return{name:t,changed:n.toISOString(),size:s}})}catch{return[]}}var Cn=class{constructor(e,t,n){this.counted=e,this.unpriced=t,this.prices=n}counted;unpriced;prices;read(e,t,n){let s=t?.messages??[],i=Pe(e,t)?null:t?.upTo??null,o=kn(e,i,n,r=>{let a=yn(r);if(a===null||!n(a.timestamp))return;let{id:c,model:l,usage:d}=a,g=De(d);if(g===0)return;let m=pn(l,d,this.prices),S=s.find(E=>E.id===c);s=[...s.filter(E=>E!==S),{id:c,costUsd:m,tokens:g}].slice(-On),this.counted={costUsd:this.counted.costUsd+Math.max(0,m-(S?.costUsd??0)),tokens:this.counted.tokens+Math.max(0,g-(S?.tokens??0))},this.prices(l)===null&&!this.unpriced.includes(l)&&(this.unpriced=[...this.unpriced,l].slice(-wn))});return{upTo:o,messages:s,seen:Ue(e,o)}}};function Ln(e,t){let n=t.unpriced.filter(s=>!e.unpriced.includes(s));return n.length===0?null:`Da Capo: ${ln(n.join(", ").slice(0,200))}.`}var me=b({costUsd:A,tokens:M}),$e=y(b({id:u,costUsd:A,tokens:M})),We=q(u),Mn=b({upTo:M,messages:$e,seen:We}),Rn=b({session:u,before:me,counted:me,main:P(Mn),agents:y(b({name:u,changed:u,upTo:M,messages:$e,seen:We})),forgotten:P(u),unpriced:y(u)}),Dn={counted:{costUsd:0,tokens:0},main:null,agents:[],forgotten:null,unpriced:[]};module.exports={wake:at,serverSession:lt,liftCap:Ne,withoutCap:Te,capSet:W,rareEventOf:Lt,commandOf:Ce,setupOf:Le,backgroundOf:$t,wakeUpsOf:Me,countUsage:An};
