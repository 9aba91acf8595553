var{lstatSync:j,realpathSync:pe,readdirSync:ge,readFileSync:L,constants:I,openSync:fe,fstatSync:he,closeSync:_e,readSync:ke,renameSync:Ge,existsSync:K,copyFileSync:Ye,mkdirSync:be,rmSync:Ee,writeFileSync:Ke,statSync:H}=require("node:fs"),{join:g,resolve:ee,dirname:O,sep:te,relative:He}=require("node:path"),u=e=>typeof e=="string",F=e=>typeof e=="boolean",M=e=>Number.isSafeInteger(e)&&Number(e)>=0,w=e=>Number.isFinite(e)&&Number(e)>=0;function qe(...e){return t=>e.some(n=>n===t)}function B(e){return t=>t===null||e(t)}function y(e){return t=>Array.isArray(t)&&t.every(n=>e(n))}function q(e){return t=>t===void 0||e(t)}function b(e){return t=>h(t)&&Xe(t,e)}function Xe(e,t){for(let n in t)if(t[n]?.(e[n])!==!0)return!1;return!0}function h(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)}function x(e,t){let n=e[t];return h(n)?n:{}}function Se(e){return Array.isArray(e)?e.filter(h):[]}function p(e,t){let n=e[t];return u(n)?n:""}function X(e,t){try{let n=JSON.parse(t??"null");return e(n)?n:null}catch{return null}}function R(e,t){return V(()=>X(e,t()),null)}function V(e,t){try{return e()}catch{return t}}function D(e){return e instanceof Error&&"code"in e?String(e.code):String(e)}function ve(e){return e.CLAUDE_CONFIG_DIR||g(e.HOME??e.USERPROFILE??"",".claude")}function Ve(e,{project:t,env:n}){return g(e==="user"?ve(n):g(t,".claude"),"commands")}function Je(e,t){let n=ee(e);if(!ne(n,ee(t)))return!1;for(let i=n;;i=O(i)){if(j(i,{throwIfNoEntry:!1})===void 0&&O(i)!==i)continue;let[o,s]=[ie(i),ie(t)];return o===null||s===null||!ne(o,s)}}function ne(e,t){return e===t||e.startsWith(t.endsWith(te)?t:t+te)}function ie(e){try{return pe(e)}catch{return null}}function ze(e){return V(()=>ge(e).sort(),[])}function Ze(e){try{return process.kill(e,0),Qe(e)}catch{return!0}}function Qe(e){return process.platform!=="linux"?!1:/\) Z/.test(V(()=>L(`/proc/${e}/stat`,"latin1"),""))}var et="claude-code",tt="start claude, type /login",nt={stopMs:6e5,text:9e3,lagMs:250,toolResetsCap:!0},it=8,J="CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";function ot(e){let t=e[J],n=t===void 0||!/^-?\d+$/.test(t.trim())?it:Number(t);return n>0?n:null}function st(e){return rt(e.CLAUDE_PLUGIN_ROOT===void 0?"project":"plugin")}function rt(e){let t=e==="project"?"/":"/dacapo:";return{resume:`${t}resume-ralph`,cancel:`${t}cancel-ralph`,approve:`${t}approve-ralph`,reject:`${t}reject-ralph`,answer:`${t}answer-ralph`}}var at="CLAUDE_PROJECT_DIR",lt=2;function ct(){return{isIdle:(e,t)=>ye(t).some(n=>n.session===e.session&&n.idle),encode:e=>({stdout:"",stderr:e,exit:lt})}}function ye(e){let t=g(ve(e),"sessions");return ze(t).filter(n=>/^\d+\.json$/.test(n)).flatMap(n=>{let i=R(h,()=>L(g(t,n),"utf8")),{pid:o,sessionId:s,status:r}=i??{};return typeof o!="number"||typeof s!="string"||Ze(o)?[]:[{pid:o,session:s,idle:r==="idle"}]})}function ut(e,t){let n=e.CLAUDE_CODE_SESSION_ID,i=e[at];if(!n||!i)return null;let o=ye(e),s=o.find(({pid:r})=>r===t)??o.find(({session:r})=>r===n);return{host:et,limits:nt,session:s?.session??n,project:i,process:s?.pid??null,prompt:null,commands:st(e)}}function z(e){let t=new Uint8Array(Buffer.from(e+"\0".repeat(oe))),n=new Uint32Array(t.buffer,0,t.length>>4<<2),i=t.length-oe,{imul:o}=Math,s=2654435769^i,r=1103547991^i,a=2246822507^i,c=3735928559^i;for(let l=0;l<n.length;l+=4)s=o(s^c^(n[l]??0),2654435761),s^=s>>>15,r=o(r^s^(n[l+1]??0),1597334677),r^=r>>>13,a=o(a^r^(n[l+2]??0),2246822519),a^=a>>>14,c=o(c^a^(n[l+3]??0),3266489917),c^=c>>>16;return se(s,r)+se(a,c)}var oe=31;function se(e,t){let n=Math.imul(e^e>>>16,2246822507)^Math.imul(t^t>>>13,3266489909);return(4294967296*(2097151&(Math.imul(t^t>>>16,2246822507)^Math.imul(n^n>>>13,3266489909)))+(n>>>0)).toString(36).padStart(11,"0")}var Z=I.O_RDONLY|(I.O_NONBLOCK??0),dt=Z|(I.O_NOFOLLOW??0),re=16*1024*1024,mt="\uFFFD",pt=["EBUSY","EMFILE","ENFILE","EAGAIN","ETXTBSY"];function gt(e,t=dt){let n;try{n=fe(e,t)}catch(i){let o=D(i);return o==="ENOENT"?{is:"gone"}:{is:"unreadable",why:o,passing:pt.includes(o)}}try{let i=he(n);if(!i.isFile()||!I.O_NOFOLLOW&&j(e).isSymbolicLink())return{is:"unreadable",why:"not a regular file",passing:!1};if(i.size>re)return{is:"unreadable",why:`larger than ${re/1024/1024} MB`,passing:!1};let o=L(n,"utf8"),s=o.includes(mt)?ft(n,i.size):null;return{is:"content",content:o,get bytes(){return s??Buffer.from(o)},modifiedMs:i.mtimeMs}}finally{_e(n)}}function ft(e,t){let n=Buffer.alloc(t);return n.subarray(0,ke(e,n,0,t,0))}function Ae(e){let t=gt(e,Z);if(t.is==="unreadable")throw Object.assign(new Error(`${e} can't be read (${t.why})`),{code:t.why,path:e});return t.is==="gone"?null:t.content}var ht="hooks:";function _t(e){let{hooks:t}=e;return h(t)?[ht,...Object.keys(t)]:[]}var kt=[5,10,20,40,80,160,320,640],bt=["EPERM","EACCES","EBUSY"];function Et(e,t,n=process.platform,i=Ge){for(let o of n==="win32"?kt:[]){try{return i(e,t)}catch(s){if(!bt.includes(D(s)))throw s}Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,o)}i(e,t)}var St=".before-dacapo",T=e=>e.trim().split(/\s+/),_={"**/AGENTS.md":"instructions","**/AGENTS.override.md":"instructions"},vt="**/{DESIGN,Design,design}.md",yt="**/CONTEXT.md",N={".mcp.json":[]},v={".agents/skills/**/*.md":"instructions"},U={".claude/skills/**/*.md":"instructions"},k=T("name description title color license version tags author metadata argument-hint"),ae=T("model effort"),C=T(`$schema model fallbackModel effortLevel maxEffortLevel alwaysThinkingEnabled
  language outputStyle respectGitignore cleanupPeriodDays attribution includeCoAuthoredBy
  includeGitInstructions companyAnnouncements spinnerTipsEnabled spinnerVerbs spinnerTipsOverride viewMode
  maxProseWidth spellcheck syntaxHighlightingDisabled disabledMcpjsonServers deniedMcpServers
  disableWorkflows disableSkillShellExecution disableClaudeAiConnectors disableBundledSkills
  promptSuggestionEnabled emojiCompletionEnabled awaySummaryEnabled breakReminder quietHours`),Gn={"claude-code":{folders:[".claude"],files:{..._,"**/CLAUDE.md":"instructions",".mcp.json":"code",".claude/*.md":"instructions",".claude/{agents,commands,skills,rules,output-styles}/**/*.md":"instructions",".claude/settings.json":"code",".claude/settings.local.json":"code",".claude/worktrees":"harmless",".claude/*.local.md":"harmless",".claude/.{ralph-loop,idle-loop}*.local.md.*.tmp":"harmless","**/CLAUDE.local.md":"instructions",".claude/data":"harmless"},keys:{...N,".claude/settings.json":C,".claude/settings.local.json":C},frontMatter:[...k,...ae,...T("tools disallowedTools user-invocable disable-model-invocation when_to_use paths keep-coding-instructions")]},codex:{folders:[".codex"],files:{..._,...v,".agents/plugins":"code",".codex/config.toml":"code",".codex/hooks.json":"code",".codex/agents":"code",".codex/rules":"permissions",".codex/skills/**/*.md":"instructions",".codex/prompts/*.md":"instructions"},keys:{".codex/hooks.json":[]},frontMatter:k},copilot:{folders:[".github/copilot",".github/hooks",".github/extensions",".copilot"],files:{..._,...v,...U,"**/CLAUDE.md":"instructions","**/GEMINI.md":"instructions","**/{Agents,agents,Claude,claude,Gemini,gemini}.md":"instructions",".claude/rules/**/*.md":"instructions",".claude/settings.json":"code",".claude/settings.local.json":"code",".mcp.json":"code",".vscode/mcp.json":"code",".github/mcp.json":"code",".github/lsp.json":"code",".github/hooks":"code",".github/extensions":"code",".github/copilot":"code",".github/allowed_models.txt":"permissions",".github/copilot-instructions.md":"instructions",".github/{agents,instructions,prompts,skills}/**/*.md":"instructions"},keys:{...N,".github/hooks/dacapo.json":[],".claude/settings.json":C,".claude/settings.local.json":C},frontMatter:[...k,...ae,"applyTo","tools"]},droid:{folders:[".factory"],files:{..._,...v,...U,"**/{CLAUDE,Claude,Agents,agents}.md":"instructions",[vt]:"instructions",".claude/agents/**/*.md":"instructions",".claude/commands/**/*.md":"instructions",".mcp.json":"code",".factory/settings.json":"code",".factory/settings.local.json":"code",".factory/hooks.json":"code",".factory/hooks":"code",".factory/mcp.json":"code",".factory/mcp.local.json":"code",".factory/plugins":"code",".factory/{commands,droids,skills,rules,docs,memories}/**/*.md":"instructions",".factory/*.md":"instructions"},keys:{...N,".factory/mcp.json":[],".factory/settings.json":[]},frontMatter:[...k,"model","tools"]},qwen:{folders:[".qwen"],files:{..._,...v,"**/QWEN.md":"instructions",".env":"sends",".qwen/.env":"sends",".mcp.json":"code",".lsp.json":"code",".qwenignore":"harmless",".qwen/settings.json":"code",".qwen/extensions":"code",".qwen/workflows":"code",".qwen/*.md":"instructions",".qwen/{agents,commands,skills,team-memory}/**/*.md":"instructions"},keys:{...N,".qwen/settings.json":["stopHookBlockingCap","$version"]},frontMatter:[...k,"model"]},gemini:{folders:[".gemini"],files:{..._,...v,"**/GEMINI.md":"instructions",".env":"sends",".gemini/.env":"sends",".geminiignore":"harmless",".gemini/settings.json":"code",".gemini/extensions":"code",".gemini/policies":"permissions",".gemini/*.md":"instructions",".gemini/skills/**/*.md":"instructions"},keys:{".gemini/settings.json":[]},frontMatter:k},opencode:{folders:[".opencode"],files:{..._,...v,...U,"**/CLAUDE.md":"instructions",[yt]:"instructions","opencode.json":"code","opencode.jsonc":"code",".opencode/opencode.json":"code",".opencode/opencode.jsonc":"code",".opencode/{plugin,plugins,tool,tools}":"code",".opencode/{agent,agents,command,commands,mode,modes,skill,skills}/**/*.md":"instructions",".opencode/themes":"harmless",".opencode/{node_modules,package.json,package-lock.json,bun.lock,.gitignore}":"harmless"},keys:Object.fromEntries(["opencode.json","opencode.jsonc",".opencode/opencode.json",".opencode/opencode.jsonc"].map(e=>[e,T("$schema theme keybinds model small_model")])),frontMatter:[...k,"model","temperature"]},pi:{folders:[".pi"],files:{..._,...v,"**/CLAUDE.md":"instructions",".pi/settings.json":"code",".pi/extensions":"code",".pi/themes":"harmless",".pi/*.md":"instructions",".pi/{prompts,skills}/**/*.md":"instructions"},keys:{".pi/settings.json":["theme"]},frontMatter:[...k,"disable-model-invocation"]}},$="\uFEFF";function At(e){let t=e.replace($,"");return t.trim()===""?{}:X(h,t)}function Oe(e,t){let n=/^\uFEFF?\{\r?\n([ \t]+)/.exec(t)?.[1]??"  ",i=t.includes(`\r
`)?`\r
`:`
`,o=t.trim()===""||t.endsWith(`
`)?i:"";return(t.startsWith($)?$:"")+JSON.stringify(e,null,n).replaceAll(`
`,i)+o}function Ot(e){return e+St}function wt(e){if(K(e))try{Ye(e,Ot(e),I.COPYFILE_EXCL)}catch(t){if(D(t)!=="EEXIST")throw t}}function we(e,t,n=420){be(O(e),{recursive:!0});let i=K(e)?pe(e):e,o=`${i}.${process.pid}.tmp`;Ee(o,{force:!0}),Ke(o,t,{flag:"wx",mode:(H(i,{throwIfNoEntry:!1})?.mode??n)&511}),Et(o,i)}var It=b({created:F,former:B(u),written:u,places:y(u),hadEnv:F,cap:F,statusLine:q(qe("added","wrapped")),commands:y(b({path:u,hash:u})),excluded:y(u),folders:y(u)});function xt(e){return g(e,"installed.json")}function Tt(e,t,n){let i={written:"",cap:!1,commands:[],excluded:[],folders:[]};if(n!==null)return{...n,former:z(e??"")===n.written?n.former:null};let[o,s]=[_t(t),h(t.env)];return{...i,created:e===null,former:e,places:o,hadEnv:s}}function Nt(e,t){return Ie(e)[t]??null}function Ct(e,t,n){let{[t]:i,...o}=Ie(e),s=n===null?o:{...o,[t]:n};if(Object.keys(s).length===0)return Ee(e,{force:!0});be(O(e),{recursive:!0,mode:448}),we(e,Oe(s,""),384)}function Ie(e){let t=R(h,()=>L(e,"utf8"))??{};return Object.fromEntries(Object.entries(t).filter(n=>It(n[1])))}var xe="0";function Te(e,t){let n=g(e,".claude","settings.local.json");try{if(Je(n,e)||j(n,{throwIfNoEntry:!1})?.isFile()===!1)return!1;let i=Ae(n),o=At(i??"");if(o===null)return!1;if(W(o)===xe)return!0;let s=Oe(Ne(o),i??""),r=xt(t),a=Tt(i,o,Nt(r,n));return Ct(r,n,{...a,written:z(s),cap:W(o)===null,folders:[...a.folders,...K(O(n))?[]:[O(n)]]}),wt(n),we(n,s),!0}catch{return!1}}function Ne(e){return{...e,env:{...x(e,"env"),[J]:xe}}}function W(e){let t=x(e,"env")[J];return typeof t=="string"||typeof t=="number"?String(t):null}var jt=/<(\/?)(promise|loop-done|issue-complete|grind-done)(?=[\s>/])/gi;function Lt(e){let t=new RegExp("(?![\\t\\n])\\p{Cc}(?:\\[[0-9;?]*[ -/]*[@-~])?|[\\u202A-\\u202E\\u2066-\\u2069]","gu");return e.replace(/\r\n?/g,`
`).replace(t,"").replace(jt,"\u2039$1$2")}function Ce(e,t){let n=Lt(e).replace(/\s+/g," ").trim();return n.length>t?`${Mt(n,t-1)}\u2026`:n}function Mt(e,t){return e.slice(0,t).replace(/[\uD800-\uDBFF]$/,"")}var Rt={billing_error:"billing",authentication_failed:"auth",oauth_org_not_allowed:"auth",account_on_hold:"auth",verification_required:"auth",cloud_credential_error:"auth",model_not_found:"model"};var Dt=new Map([["ralph","start"],["cancel-ralph","cancel"],["resume-ralph","resume"],["ralph-status","status"],["approve-ralph","approve"],["reject-ralph","reject"],["answer-ralph","answer"]]),Ft=400;function Ut(e,t,n){switch(e.hook_event_name){case"SessionStart":{let{source:i}=e;return i==="resume"||i==="clear"||i==="compact"?{is:"session-start",from:t,source:i}:null}case"UserPromptExpansion":return je(e,t,n);case"StopFailure":return Yt(e,t);default:return null}}function je(e,t,n){let i=p(e,"command_name"),o=i.lastIndexOf(":"),s=i.slice(0,o+1),r=Dt.get(i.slice(o+1));return r===void 0||s!==""&&s!=="dacapo:"?null:{is:"command",from:t,command:r,args:p(e,"command_args"),...Pt.has(r)&&!$t(e,t,n)&&{isAnyones:!0},...Le(e,t,n)}}var Pt=new Set(["approve","reject","answer"]),Bt=/^disable-model-invocation: true$/m;function $t(e,{project:t},n){let i=p(e,"command_name"),o=Wt.get(p(e,"command_source"));if(o==="plugin")return i.startsWith("dacapo:");if(o===void 0||i.includes(":"))return!1;let s=Ve(o,{project:t,env:n,platform:process.platform});return Bt.test(Ae(g(s,`${i}.md`))??"")}var Wt=new Map([["plugin","plugin"],["projectSettings","project"],["userSettings","user"]]);function Le(e,{project:t},n){let i=n.CLAUDE_PLUGIN_OPTION_LIFT_CAP==="true",o=Gt.get(p(e,"permission_mode"));return{cap:ot(n),liftCap:i?s=>Te(t,s):null,...o!==void 0&&{hindrance:o}}}var le="this session asks you before edits and commands, and the loop waits until you answer. Shift+Tab changes that.",Gt=new Map([["plan","this session is in plan mode, so the agent can't change a file. Shift+Tab leaves it."],["dontAsk","this session denies every edit and command that its settings do not allow."],["default",le],["manual",le]]);function Yt(e,t){let n=p(e,"error")||"unknown";return{is:"fault",from:t,error:n,detail:Ce(p(e,"error_details")||p(e,"last_assistant_message"),Ft),fatal:Rt[n]??null,login:tt}}function Kt(e,t){let n=Xt(e.background_tasks);return t?[...n,...Me(e.session_crons)]:n}var Ht=new Map([["subagent","agent"],["workflow","agent"],["shell","shell"]]),qt=["completed","failed","killed"];function Xt(e){return Se(e).flatMap(t=>{let n=Ht.get(t.type);if(n===void 0||qt.includes(t.status))return[];let i=p(t,"command")||p(t,"description");return[{id:p(t,"id"),kind:n,description:i}]})}var Vt=/^(\d+) (\d+) (\d+) (\d+) \*$/;function Me(e,t=new Date){return Se(e).map(n=>{let{schedule:i,recurring:o}=n,s=o===!0||typeof i!="string"?null:Jt(i,t);return{id:p(n,"id"),kind:o===!0?"shell":"agent",description:p(n,"prompt"),...s!==null&&{due:s.toISOString()}}})}function Jt(e,t){let[,n,i,o,s]=Vt.exec(e)?.map(Number)??[];if(n===void 0||i===void 0||o===void 0||s===void 0)return null;let r=c=>new Date(c,s-1,o,i,n),a=r(t.getFullYear());return t.getTime()-a.getTime()>1440*6e4?r(t.getFullYear()+1):a}function Re(e){return ge(e,{withFileTypes:!0}).flatMap(t=>t.isDirectory()?[t,...Re(g(e,t.name))]:[t])}function zt(e){return Re(e).map(({parentPath:t,name:n})=>He(e,g(t,n)))}var Zt=/^(?:.*\/)?(?:(?:[a-z-]+\.)*anthropic\.)?/,Qt=/\[[^\]]*\]$/,en=/(?:[-@](?:latest|preview(?:-\d\d-\d{2,4})?|\d{4}-\d\d-\d\d|\d{8})|(?<=\d)-v1(?::\d)?)+$/;function tn(e){return e.toLowerCase().replace(Zt,"").replace(Qt,"").replace(en,"").replaceAll(".","-")}var nn=`
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
`,P=[150,600,150],on={"claude-haiku-5-5":{input:.1,output:.5,cacheRead:.01,long:{above:1e5,times:5}},"claude-sonnet-5-5":{input:2,output:10,cacheRead:.1},"claude-fable-5-2":{input:8,output:40,cacheRead:.2},"claude-mythos-5-2":{input:8,output:40,cacheRead:.2},"claude-mythos-5-1":{input:10,output:50,cacheRead:.25},"claude-mythos-5":{input:10,output:50,cacheRead:1}},sn=/^claude-opus-4-[567]$/,rn=6,an={input:P[0],output:P[1],cacheRead:P[2],fast:1},ln=1.25,cn=b({input:w,output:w,cachedInput:q(w)}),ce=null,De=e=>(ce??=un(),ce.get(tn(e))??null);function un(){let e=nn.trim().split(`
`).flatMap(t=>{let[n,i,o,...s]=t.split(" "),r={input:Number(n),output:Number(i),cacheRead:Number(o)};return s.map(a=>[a,sn.test(a)?{...r,fast:rn}:r])});return new Map([...e,...Object.entries(on)])}function dn(e){let t=x(R(h,e)??{},"prices");return n=>{let i=t[n];return cn(i)?{...i,cacheRead:i.cachedInput??i.input}:De(n)}}function mn({input:e,output:t,cacheRead:n},i){return(e*(i.input+ln*i.cacheWrite)+t*i.output+n*i.cacheRead)/1e6}var pn='"prices" in config.json takes a price of your own, and --max-tokens needs none';function gn(e){return`the price of ${e} is not known, so it is counted like the most expensive model; ${pn}`}var fn=2/1.25,hn=2,_n=.01,kn=1.1;function bn(e,t,n=De){let i=n(e)??an,{fast:o=hn,long:s}=i,{input:r,output:a,cacheRead:c,cache5m:l,cache1h:d}=t,f=(t.fast?o:1)*(t.usOnly?kn:1)*(s!==void 0&&Fe(t)-a>s.above?s.times:1),m=l+fn*d;return f*mn(i,{input:r,output:a,cacheRead:c,cacheWrite:m})+_n*t.searches}function Fe({input:e,output:t,cacheRead:n,cache5m:i,cache1h:o}){return e+t+n+i+o}function En(e){let t=x(e,"cache_creation"),n=x(e,"server_tool_use"),i=A(e,"cache_creation_input_tokens"),o=Math.min(i,A(t,"ephemeral_1h_input_tokens"));return{input:A(e,"input_tokens"),output:A(e,"output_tokens"),cacheRead:A(e,"cache_read_input_tokens"),cache5m:i-o,cache1h:o,searches:A(n,"web_search_requests"),fast:e.speed==="fast",usOnly:e.inference_geo==="us"}}function A(e,t){let n=e[t];return typeof n=="number"&&Number.isSafeInteger(n)&&n>0?n:0}var G=1024*1024,Sn=32*1024*1024,vn=256*1024*1024,ue='"usage":{',Y=10,yn=/"timestamp":"(\d{4}-[^"]{6,30})"/;function An(e,t,n,i){return Ue(e,t??0,o=>{let{size:s}=he(o),r=t===null||t>s?xn(o,s,n):t;return wn(o,r,s,i)})}function Ue(e,t,n){let i;try{i=fe(e,Z)}catch{return t}try{return n(i)}finally{_e(i)}}var On=256;function Pe(e,t){let n=Math.max(0,t-On);return Ue(e,"",i=>z(Q(i,n,t-n).toString("latin1")))}function wn(e,t,n,i){let o=Buffer.alloc(0),s=t;for(let r=t;r<n;){let a=Q(e,r,Math.min(G,n-r));if(a.length===0)break;r+=a.length;let c=o.length===0?a:Buffer.concat([o,a]),l=c.lastIndexOf(Y)+1;In(c.subarray(0,l),i),s+=l,o=c.subarray(l),o.length>Sn&&(s+=o.length,o=Buffer.alloc(0))}return s}function In(e,t){for(let n=e.indexOf(ue);n!==-1;){let i=e.indexOf(Y,n);t(e.toString("utf8",e.lastIndexOf(Y,n)+1,i)),n=e.indexOf(ue,i)}}function xn(e,t,n){for(let i=t;i>0;i-=G){let o=Math.max(0,i-G);if(o===0||t-o>=vn)return o;let s=Q(e,o,i-o).toString("latin1"),[,r]=yn.exec(s)??[];if(r!==void 0&&!n(r))return o}return 0}function Q(e,t,n){let i=Buffer.allocUnsafe(n);return i.subarray(0,ke(e,i,0,n,t))}function Tn(e){let t=X(h,e);if(t?.type!=="assistant")return null;let{message:n,timestamp:i}=t;if(!h(n)||typeof i!="string")return null;let{id:o,model:s,usage:r}=n;return typeof o!="string"||typeof s!="string"||!h(r)?null:{id:o,model:s,timestamp:i,usage:En(r)}}var de=200,Nn=8,Cn=8;async function jn(e,t,n,i){let o=t.session.owner?.session??"",s=R($n,n.read),r=s?.session===o?s:{...Wn,session:o,before:t.spent},a=s===null?t.last===null:s.session!==o,c=Ln(e,r.main,a),l=(s===null||c?.is==="rewritten")&&t.last!==null?t.last.at:null,d=Rn(t,l),f=new Un(r.counted,r.unpriced,dn(i)),m=c?.is==="unread"?r.main:f.read(e,r.main,d),E=Dn(e,r,d,f),S={...r,main:m,...E,counted:f.counted,unpriced:f.unpriced};return n.write(JSON.stringify(S)),{used:Mn(S,t.spent),note:Pn(r,S),trouble:c&&{is:"uncounted",why:c.why}}}function Ln(e,t,n){let i=(o,s)=>({is:o,why:`the transcript of the session ${s}, so what it has used can't be counted: ${Ce(e,200)}`});try{if(n&&j(e,{throwIfNoEntry:!1})===void 0)return null;let o=H(e,{throwIfNoEntry:!1});return o===void 0?i("unread","is not there"):o.isFile()?o.size<(t?.upTo??0)?i("rewritten","has shrunk"):Be(e,t)?i("rewritten","was rewritten"):null:i("unread","is not a regular file")}catch(o){return i("unread",`can't be read (${D(o)})`)}}function Be(e,t){return!!t?.seen&&Pe(e,t?.upTo??0)!==t?.seen}function Mn({before:e,counted:t},n){return{costUsd:Math.max(0,e.costUsd+t.costUsd-n.costUsd),tokens:Math.max(0,e.tokens+t.tokens-n.tokens),estimated:!0}}function Rn({startedAt:e,clock:{since:t,until:n}},i){let o=n===null?Number.NEGATIVE_INFINITY:Date.parse(n),s=t===null?Number.NEGATIVE_INFINITY:Date.parse(t),r=Date.parse(i??e);return a=>{let c=Date.parse(a);return c>=r&&!(c>=o&&c<s)}}function Dn(e,t,n,i){let o=g(e.replace(/\.jsonl$/,""),"subagents"),s=new Map(t.agents.map(l=>[l.name,l])),r=l=>n(l)&&(t.forgotten===null||l>t.forgotten);for(let{name:l,changed:d,size:f}of Fn(o)){let m=s.get(l);if(m===void 0&&t.forgotten!==null&&d<=t.forgotten||m!==void 0&&m.changed===d&&m.upTo===f)continue;let E=i.read(g(o,l),m??null,m===void 0?r:n);s.set(l,{name:l,changed:d,...E})}let a=[...s.values()].toSorted((l,d)=>l.changed<d.changed?1:-1),c=a[de]?.changed??t.forgotten;return{agents:a.slice(0,de),forgotten:c}}function Fn(e){try{return zt(e).filter(t=>t.endsWith(".jsonl")).map(t=>{let{mtime:n,size:i}=H(g(e,t));return{name:t,changed:n.toISOString(),size:i}})}catch{return[]}}var Un=class{constructor(e,t,n){this.counted=e,this.unpriced=t,this.prices=n}counted;unpriced;prices;read(e,t,n){let i=t?.messages??[],o=Be(e,t)?null:t?.upTo??null,s=An(e,o,n,r=>{let a=Tn(r);if(a===null||!n(a.timestamp))return;let{id:c,model:l,usage:d}=a,f=Fe(d);if(f===0)return;let m=bn(l,d,this.prices),E=i.find(S=>S.id===c);i=[...i.filter(S=>S!==E),{id:c,costUsd:m,tokens:f}].slice(-Nn),this.counted={costUsd:this.counted.costUsd+Math.max(0,m-(E?.costUsd??0)),tokens:this.counted.tokens+Math.max(0,f-(E?.tokens??0))},this.prices(l)===null&&!this.unpriced.includes(l)&&(this.unpriced=[...this.unpriced,l].slice(-Cn))});return{upTo:s,messages:i,seen:Pe(e,s)}}};function Pn(e,t){let n=t.unpriced.filter(i=>!e.unpriced.includes(i));return n.length===0?null:`Da Capo: ${gn(n.join(", ").slice(0,200))}.`}var me=b({costUsd:w,tokens:M}),$e=y(b({id:u,costUsd:w,tokens:M})),We=q(u),Bn=b({upTo:M,messages:$e,seen:We}),$n=b({session:u,before:me,counted:me,main:B(Bn),agents:y(b({name:u,changed:u,upTo:M,messages:$e,seen:We})),forgotten:B(u),unpriced:y(u)}),Wn={counted:{costUsd:0,tokens:0},main:null,agents:[],forgotten:null,unpriced:[]};module.exports={wake:ct,serverSession:ut,liftCap:Te,withoutCap:Ne,capSet:W,rareEventOf:Ut,commandOf:je,setupOf:Le,backgroundOf:Kt,wakeUpsOf:Me,countUsage:jn};
