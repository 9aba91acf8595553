var ee=e=>typeof e=="string",k=e=>Number.isSafeInteger(e)&&Number(e)>=0,L=e=>Number.isFinite(e)&&Number(e)>=0;function fe(e){return t=>t===void 0||e(t)}function M(e){return t=>m(t)&&he(t,e)}function he(e,t){for(let n in t)if(t[n]?.(e[n])!==!0)return!1;return!0}function m(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)}function d(e,t){let n=e[t];return m(n)?n:{}}function _e(e){return Array.isArray(e)?e.filter(m):[]}function l(e,t){let n=e[t];return ee(n)?n:""}function p(e,t){try{let n=JSON.parse(t??"null");return e(n)?n:null}catch{return null}}function te(e,t){return ne(()=>p(e,t()),null)}function y(e){return ee(e)&&e!==""?e:null}function ne(e,t){try{return e()}catch{return t}}function ke(e){return e instanceof Error&&"code"in e?String(e.code):String(e)}var{join:E}=require("node:path"),Ee=/<(\/?)(promise|loop-done|issue-complete|grind-done)(?=[\s>/])/gi;function Se(e){let t=new RegExp("(?![\\t\\n])\\p{Cc}(?:\\[[0-9;?]*[ -/]*[@-~])?|[\\u202A-\\u202E\\u2066-\\u2069]","gu");return e.replace(/\r\n?/g,`
`).replace(t,"").replace(Ee,"\u2039$1$2")}function Oe(e,t){let n=Se(e).replace(/\s+/g," ").trim();return n.length>t?`${be(n,t-1)}\u2026`:n}function be(e,t){return e.slice(0,t).replace(/[\uD800-\uDBFF]$/,"")}var ve={resume:"dacapo resume",cancel:"dacapo cancel",approve:"dacapo approve",reject:"dacapo reject",answer:"dacapo answer"},Ie=e=>t=>(...n)=>require(e)[t](...n),C=Ie("./guard.cjs"),S=e=>e.trim().split(/\s+/),g={"**/AGENTS.md":"instructions","**/AGENTS.override.md":"instructions"},Te="**/{DESIGN,Design,design}.md",Ae="**/CONTEXT.md",I={".mcp.json":[]},_={".agents/skills/**/*.md":"instructions"},j={".claude/skills/**/*.md":"instructions"},f=S("name description title color license version tags author metadata argument-hint"),q=S("model effort"),T=S(`$schema model fallbackModel effortLevel maxEffortLevel alwaysThinkingEnabled
  language outputStyle respectGitignore cleanupPeriodDays attribution includeCoAuthoredBy
  includeGitInstructions companyAnnouncements spinnerTipsEnabled spinnerVerbs spinnerTipsOverride viewMode
  maxProseWidth spellcheck syntaxHighlightingDisabled disabledMcpjsonServers deniedMcpServers
  disableWorkflows disableSkillShellExecution disableClaudeAiConnectors disableBundledSkills
  promptSuggestionEnabled emojiCompletionEnabled awaySummaryEnabled breakReminder quietHours`),_n={"claude-code":{folders:[".claude"],files:{...g,"**/CLAUDE.md":"instructions",".mcp.json":"code",".claude/*.md":"instructions",".claude/{agents,commands,skills,rules,output-styles}/**/*.md":"instructions",".claude/settings.json":"code",".claude/settings.local.json":"code",".claude/worktrees":"harmless",".claude/*.local.md":"harmless",".claude/.{ralph-loop,idle-loop}*.local.md.*.tmp":"harmless","**/CLAUDE.local.md":"instructions",".claude/data":"harmless"},keys:{...I,".claude/settings.json":T,".claude/settings.local.json":T},frontMatter:[...f,...q,...S("tools disallowedTools user-invocable disable-model-invocation when_to_use paths keep-coding-instructions")]},codex:{folders:[".codex"],files:{...g,..._,".agents/plugins":"code",".codex/config.toml":"code",".codex/hooks.json":"code",".codex/agents":"code",".codex/rules":"permissions",".codex/skills/**/*.md":"instructions",".codex/prompts/*.md":"instructions"},keys:{".codex/hooks.json":[]},frontMatter:f},copilot:{folders:[".github/copilot",".github/hooks",".github/extensions",".copilot"],files:{...g,..._,...j,"**/CLAUDE.md":"instructions","**/GEMINI.md":"instructions","**/{Agents,agents,Claude,claude,Gemini,gemini}.md":"instructions",".claude/rules/**/*.md":"instructions",".claude/settings.json":"code",".claude/settings.local.json":"code",".mcp.json":"code",".vscode/mcp.json":"code",".github/mcp.json":"code",".github/lsp.json":"code",".github/hooks":"code",".github/extensions":"code",".github/copilot":"code",".github/allowed_models.txt":"permissions",".github/copilot-instructions.md":"instructions",".github/{agents,instructions,prompts,skills}/**/*.md":"instructions"},keys:{...I,".github/hooks/dacapo.json":[],".claude/settings.json":T,".claude/settings.local.json":T},frontMatter:[...f,...q,"applyTo","tools"]},droid:{folders:[".factory"],files:{...g,..._,...j,"**/{CLAUDE,Claude,Agents,agents}.md":"instructions",[Te]:"instructions",".claude/agents/**/*.md":"instructions",".claude/commands/**/*.md":"instructions",".mcp.json":"code",".factory/settings.json":"code",".factory/settings.local.json":"code",".factory/hooks.json":"code",".factory/hooks":"code",".factory/mcp.json":"code",".factory/mcp.local.json":"code",".factory/plugins":"code",".factory/{commands,droids,skills,rules,docs,memories}/**/*.md":"instructions",".factory/*.md":"instructions"},keys:{...I,".factory/mcp.json":[],".factory/settings.json":[]},frontMatter:[...f,"model","tools"]},qwen:{folders:[".qwen"],files:{...g,..._,"**/QWEN.md":"instructions",".env":"sends",".qwen/.env":"sends",".mcp.json":"code",".lsp.json":"code",".qwenignore":"harmless",".qwen/settings.json":"code",".qwen/extensions":"code",".qwen/workflows":"code",".qwen/*.md":"instructions",".qwen/{agents,commands,skills,team-memory}/**/*.md":"instructions"},keys:{...I,".qwen/settings.json":["stopHookBlockingCap","$version"]},frontMatter:[...f,"model"]},gemini:{folders:[".gemini"],files:{...g,..._,"**/GEMINI.md":"instructions",".env":"sends",".gemini/.env":"sends",".geminiignore":"harmless",".gemini/settings.json":"code",".gemini/extensions":"code",".gemini/policies":"permissions",".gemini/*.md":"instructions",".gemini/skills/**/*.md":"instructions"},keys:{".gemini/settings.json":[]},frontMatter:f},opencode:{folders:[".opencode"],files:{...g,..._,...j,"**/CLAUDE.md":"instructions",[Ae]:"instructions","opencode.json":"code","opencode.jsonc":"code",".opencode/opencode.json":"code",".opencode/opencode.jsonc":"code",".opencode/{plugin,plugins,tool,tools}":"code",".opencode/{agent,agents,command,commands,mode,modes,skill,skills}/**/*.md":"instructions",".opencode/themes":"harmless",".opencode/{node_modules,package.json,package-lock.json,bun.lock,.gitignore}":"harmless"},keys:Object.fromEntries(["opencode.json","opencode.jsonc",".opencode/opencode.json",".opencode/opencode.jsonc"].map(e=>[e,S("$schema theme keybinds model small_model")])),frontMatter:[...f,"model","temperature"]},pi:{folders:[".pi"],files:{...g,..._,"**/CLAUDE.md":"instructions",".pi/settings.json":"code",".pi/extensions":"code",".pi/themes":"harmless",".pi/*.md":"instructions",".pi/{prompts,skills}/**/*.md":"instructions"},keys:{".pi/settings.json":["theme"]},frontMatter:[...f,"disable-model-invocation"]}},ye=C("hostGround"),Ce=/^(?:.*\/)?(?:(?:[a-z-]+\.)*anthropic\.)?/,xe=/\[[^\]]*\]$/,Re=/(?:[-@](?:latest|preview(?:-\d\d-\d{2,4})?|\d{4}-\d\d-\d\d|\d{8})|(?<=\d)-v1(?::\d)?)+$/;function Ne(e){return e.toLowerCase().replace(Ce,"").replace(xe,"").replace(Re,"").replaceAll(".","-")}var Le=`
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
`,w=[150,600,150],je={"claude-haiku-5-5":{input:.1,output:.5,cacheRead:.01,long:{above:1e5,times:5}},"claude-sonnet-5-5":{input:2,output:10,cacheRead:.1},"claude-fable-5-2":{input:8,output:40,cacheRead:.2},"claude-mythos-5-2":{input:8,output:40,cacheRead:.2},"claude-mythos-5-1":{input:10,output:50,cacheRead:.25},"claude-mythos-5":{input:10,output:50,cacheRead:1}},we=/^claude-opus-4-[567]$/,De=6,Me={input:w[0],output:w[1],cacheRead:w[2],fast:1},Pe=1.25,Ue=M({input:L,output:L,cachedInput:fe(L)}),K=null,$e=e=>(K??=Fe(),K.get(Ne(e))??null);function Fe(){let e=Le.trim().split(`
`).flatMap(t=>{let[n,o,s,...i]=t.split(" "),r={input:Number(n),output:Number(o),cacheRead:Number(s)};return i.map(a=>[a,we.test(a)?{...r,fast:De}:r])});return new Map([...e,...Object.entries(je)])}function Ge(e){let t=d(te(m,e)??{},"prices");return n=>{let o=t[n];return Ue(o)?{...o,cacheRead:o.cachedInput??o.input}:$e(n)}}function He({input:e,output:t,cacheRead:n},o){return(e*(o.input+Pe*o.cacheWrite)+t*o.output+n*o.cacheRead)/1e6}function We(e,t,n,o){let s=e===null?null:n(e);return s===null&&!o?null:{costUsd:He(s??Me,t),isDearest:s===null}}var Be='"prices" in config.json takes a price of your own, and --max-tokens needs none';function qe(e){return`the price of ${e} is not known, so it is counted like the most expensive model; ${Be}`}var{spawnSync:Ke}=require("node:child_process"),{readFileSync:oe,constants:A,openSync:P,fstatSync:U,lstatSync:Je,closeSync:$,readSync:F,existsSync:Xe}=require("node:fs"),Ye=new Set("sh bash dash ash zsh ksh mksh fish busybox".split(" ")),Qe=4,ze=1e3;function Ve(e=process.ppid,t=Ze(process.platform)){for(let n=0,o=e;n<=Qe;n++){let s=t(o);if(s===null||o<=1)return null;if(!Ye.has(s.name))return o;o=s.parent}return null}function Ze(e){return e==="win32"?()=>null:e==="linux"?et:tt}function et(e){let t=ne(()=>oe(`/proc/${e}/stat`,"latin1"),""),[,n,o]=/^\d+ \((.*)\) \S (\d+)/s.exec(t)??[];return n===void 0?null:{name:n,parent:Number(o)}}function tt(e){let{stdout:t}=Ke("ps",["-o","ppid=,comm=","-p",String(e)],{encoding:"utf8",timeout:ze,env:{PATH:"/bin:/usr/bin",LC_ALL:"C"}});return nt(t??"")}function nt(e){let[,t,n]=/^\s*(\d+)\s+-?(?:.*\/)?([^/\n]+)/.exec(e)??[];return n===void 0?null:{name:n.trim(),parent:Number(t)}}var O=A.O_RDONLY|(A.O_NONBLOCK??0),ot=O|(A.O_NOFOLLOW??0),J=16*1024*1024,st="\uFFFD",it=["EBUSY","EMFILE","ENFILE","EAGAIN","ETXTBSY"];function se(e,t=ot){let n;try{n=P(e,t)}catch(o){let s=ke(o);return s==="ENOENT"?{is:"gone"}:{is:"unreadable",why:s,passing:it.includes(s)}}try{let o=U(n);if(!o.isFile()||!A.O_NOFOLLOW&&Je(e).isSymbolicLink())return{is:"unreadable",why:"not a regular file",passing:!1};if(o.size>J)return{is:"unreadable",why:`larger than ${J/1024/1024} MB`,passing:!1};let s=oe(n,"utf8"),i=s.includes(st)?rt(n,o.size):null;return{is:"content",content:s,get bytes(){return i??Buffer.from(s)},modifiedMs:o.mtimeMs}}finally{$(n)}}function rt(e,t){let n=Buffer.alloc(t);return n.subarray(0,F(e,n,0,t,0))}function at(e){let t=se(e,O);if(t.is==="unreadable")throw Object.assign(new Error(`${e} can't be read (${t.why})`),{code:t.why,path:e});return t.is==="gone"?null:t.content}function G(e){let t=se(e,O);return t.is==="content"?t.content:null}function lt(e,t){return ct(e,n=>Math.max(0,n-t)).toString()}function ct(e,t){let n=null;try{n=P(e,O);let o=U(n),s=t(o.size),i=Buffer.alloc(o.isFile()?Math.max(0,o.size-s):0);return i.subarray(0,F(n,i,0,i.length,s))}catch{return Buffer.alloc(0)}finally{n!==null&&$(n)}}var ut=4194304;function ie(e,t){let n=P(e,O);try{let{size:o}=U(n),s=Math.max(o<t?0:t,o-ut),i=Buffer.allocUnsafe(o-s),r=i.toString("latin1",0,F(n,i,0,i.length,s));return{rows:r.slice(0,r.lastIndexOf(`
`)+1),from:s}}finally{$(n)}}var dt=M({input:k,output:k,cacheRead:k,cacheWrite:k});function re(e,t,n){return{input:n(e.input,t.input),output:n(e.output,t.output),cacheRead:n(e.cacheRead,t.cacheRead),cacheWrite:n(e.cacheWrite,t.cacheWrite)}}function X({input:e,output:t,cacheRead:n,cacheWrite:o}){return e+t+n+o}var mt={401:"auth",402:"billing",403:"permission",404:"model"};function pt(e){return mt[e??0]}var kn="command file_path notebook_path path pattern url query description skill prompt".split(" ");function gt(e,t){let n=e[t];return typeof n=="number"&&Number.isFinite(n)?n:null}function h(e,t){return Math.round(Math.max(0,gt(e,t)??0))}function H(e,t){let[n,o]=[h(e,t.input),h(e,t.cacheRead)],s=Math.max(h(e,t.output),h(e,t.total)-n);return{input:Math.max(0,n-o),output:s,cacheRead:o,cacheWrite:0}}function ae(e,t){return{costUsd:null,tokens:H(e,{input:"input_tokens",output:"output_tokens",total:"total_tokens",cacheRead:t})}}var le=ae({},""),ft=/"timestamp":"([^"]+)"/;function ht(e,t,n,o){try{let{rows:s,from:i}=ie(e,n.offset),r=a=>t.test(a)&&(x(a)??o)>=o;return{queue:{offset:i+s.length,waiting:0},taken:!1,toolUsed:s.split(`
`).some(r)}}catch{return{queue:n,taken:!1,toolUsed:!0}}}function x(e){return ft.exec(e)?.[1]??null}function R(e){return lt(e,1024*1024).split(`
`)}function ce(e,t,n){let o=s=>({id:l(s,e),model:y(s.model),tokens:H(d(s,t),n)});return{sign:`"${t}":{`,read:o}}function _t(e,{sign:t,read:n},o){let s=new Map;for(let i of e.split(`
`)){let r=i.includes(t)&&(x(i)??o)>=o?p(m,i):null;r!==null&&s.set(n(r).id,n(r))}return[...s.values()]}function W(e){return({path:t,loop:n,ledger:o,prices:s})=>{if(!Xe(t))return{used:null,note:null};let i=p(M({offset:k}),o.read()),{rows:r,from:a}=ie(t,i?.offset??0);return o.write(JSON.stringify({offset:a+r.length})),de(_t(r,e,n.startedAt),n,s)}}function ue({loop:e,ledger:t,prices:n},o,s,i){let r=p(dt,t.read())??s;return t.write(JSON.stringify(o)),de([{model:i,tokens:re(o,r,(a,c)=>Math.max(0,a-c))}],e,n)}function de(e,{limits:t},n){let[o,s]=[0,0],i=new Set;for(let a of e.filter(c=>X(c.tokens)>0)){let c=We(a.model,a.tokens,n,t.costUsd!==null);s+=X(a.tokens),o+=c?.costUsd??0,c?.isDearest===!0&&i.add(a.model??"this model")}let r=i.size===0?null:`Da Capo: ${qe([...i].join(", "))}.`;return{used:{costUsd:o,tokens:s,estimated:!0},note:r}}var kt=C("actsOfCall"),Et=C("callOf"),St=C("speechOf"),Ot=400,N={Stop:"stop",UserPromptSubmit:"prompt",PreToolUse:"tool",SessionStart:"session-start",SessionEnd:"session-end"},bt={stopMs:6e5,text:9e3,lagMs:0,toolResetsCap:!0};function b(e,t){let{name:n}=e,{record:o,project:s=""}=t,i={...bt,...t.limits};return{name:n,limits:i,recognises:(r,a)=>o!==void 0&&(o.file.test(me(r))||!!a[s]||t.sign?.(r)===!0),readArrival:(r,a)=>vt({...t,names:e,limits:i},r,a),encode:(r,a)=>yt(t,r,a),wake:null}}function me(e){return l(e,"transcript_path")}function vt(e,t,n){if(!m(t))return null;let o=e.plain?.(t)??t,s=l(o,"hook_event_name"),i=Object.hasOwn(e.events,s)?e.events[s]:void 0,r=It(e,o,n);if(i===void 0||r===null||o.agent_id!==void 0&&i!=="tool")return null;switch(i){case"stop":return{...Tt(e,o,r),...e.stop?.(o,n)};case"fault":{let a=l(o,"error")||"unknown",c=Oe(l(o,"error_details"),Ot);return{is:i,from:r,error:a,detail:c,fatal:e.fatal?.[a]??null}}case"prompt":{let a=l(o,"prompt");return e.echoes===!0&&a.includes(pe)?null:{is:i,from:r,text:a,person:!0}}case"tool":return{is:i,from:r,acts:()=>kt(o,e.names.name,{}),call:()=>Et(o,e.names.name),hostFiles:()=>At(e.names,r.project,n),speech:()=>St(o)};case"session-start":{let{source:a}=o;return a==="resume"||a==="clear"||a==="compact"?{is:i,from:r,source:a}:null}case"session-end":return{is:i,from:r,reason:l(o,"reason")}}}function It(e,t,n){let o=l(t,"session_id"),s=n[e.project??""]||l(t,"cwd");if(o===""||s==="")return null;let{limits:i,chain:r}=e,a=r===void 0?null:l(t,r)||null,c=e.record===void 0?()=>null:Ve,u;return{host:e.names.name,limits:i,session:o,project:s,prompt:a,commands:ve,get process(){return u===void 0&&(u=c()),u},...e.sender?.(t,n)}}function Tt({record:e},t,n){let o=me(t);return{is:"stop",from:n,message:l(t,"last_assistant_message"),background:[],cap:null,attended:!0,continuedByHook:t.stop_hook_active===!0,look:(s,i)=>e===void 0?{queue:s,taken:!1,toolUsed:!0}:ht(o,e.call,s,i),...e!==void 0&&{count:async(s,i,r)=>e.count({path:o,payload:t,loop:s,ledger:i,prices:Ge(r)})}}}function At(e,t,n){if(!("home"in e))return[];let o=e.home(n),{name:s,ground:i,sessions:r}=e;return[...i.map(a=>E(o,a)),...ye(s).map(a=>E(t,a)),E(o,r)]}var pe="<hook_prompt>";function yt({events:e,echoes:t,say:n},o,{is:s}){let i=t===!0&&o.is==="continue"?{...o,toAgent:`${pe}
${o.toAgent}
</hook_prompt>`}:o,r=n?.(i)??xt(i,Ct(e,s));return{stdout:r===null?"":JSON.stringify(r),stderr:"",exit:0}}function Ct(e,t){return Object.keys(e).find(n=>e[n]===t)??""}function xt(e,t){let n="toPerson"in e?e.toPerson??void 0:void 0,o=(s,i)=>({hookSpecificOutput:{hookEventName:t,permissionDecision:s,permissionDecisionReason:i}});switch(e.is){case"silence":return null;case"tell":return{systemMessage:n};case"close":return{decision:"block",reason:e.toPerson};case"continue":return{decision:"block",reason:e.toAgent};case"brief":return{systemMessage:n,hookSpecificOutput:{hookEventName:t,additionalContext:e.toAgent}};case"permit":return o("allow",e.why);case"deny":return o("deny",e.toAgent)}}function v(e,...t){return E(e.HOME??e.USERPROFILE??"",...t)}var Rt={name:"codex",title:"Codex",word:"codex",tool:"Bash(npm test)",signs:["CODEX_THREAD_ID"],session:"CODEX_THREAD_ID",own:/^CODEX_(?!HOME$)/,home:e=>e.CODEX_HOME||v(e,".codex"),folder:".codex",ground:["hooks.json","config.toml","plugins"],sessions:"sessions"},Nt={name:"copilot",title:"GitHub Copilot CLI",word:"copilot",tool:"shell(npm:*)",signs:["COPILOT_AGENT_SESSION_ID"],session:"COPILOT_AGENT_SESSION_ID",own:/^COPILOT_(?:CLI|CLI_BINARY_VERSION|CLI_RESOLVED_DIST_DIR|LOADER_PID|AGENT_SESSION_ID|PROJECT_DIR|HOOK_DIR|PLUGIN_ROOT|PLUGIN_DATA)$/,home:e=>e.COPILOT_HOME||v(e,".copilot"),folder:".github",ground:["hooks","settings.json","config.json","copilot","installed-plugins"],sessions:"session-state"},Lt={name:"droid",title:"droid",word:"droid",tool:"Execute",signs:[],own:/^(?:(?:DROID|FACTORY)_(?:PROJECT_DIR|PLUGIN_ROOT|RUNTIME_SETTINGS_PATH)|session_id|transcript_path|cwd|permission_mode|hook_event_name|message_id|stop_hook_active|tool_execution_count|elapsed_time|prompt|has_images|tool_name|tool_input)$/,home:e=>v(e,".factory"),folder:".factory",ground:["settings.json","settings.local.json","hooks.json","hooks","mcp.json","plugins"],sessions:"sessions"},D={name:"qwen",title:"Qwen Code",word:"qwen",tool:"run_shell_command(npm test)",signs:["QWEN_CODE_SESSION_ID"],session:"QWEN_CODE_SESSION_ID",own:/^QWEN_(?:CODE$|CODE_(?:SESSION|PROMPT|AGENT)_ID$|CODE_NO_RELAUNCH$|(?:CODE_)?PROJECT_DIR$)/,home:e=>e.QWEN_HOME||v(e,".qwen"),folder:".qwen",ground:["settings.json","extensions",".env","trustedFolders.json"],sessions:"projects"},jt={name:"gemini",title:"Gemini CLI",word:"gemini",tool:"run_shell_command(npm test)",signs:["GEMINI_CLI"],own:/^GEMINI_(?:CLI|CLI_NO_RELAUNCH|SESSION_ID|PROJECT_DIR|PLANS_DIR|CWD)$/,home:e=>e.GEMINI_CLI_HOME?E(e.GEMINI_CLI_HOME,".gemini"):v(e,".gemini"),folder:".gemini",ground:["settings.json","extensions","policies",".env","trustedFolders.json"],sessions:"tmp"},wt=b(Rt,{events:N,chain:"turn_id",record:{file:/[\\/]rollout-[^\\/]*\.jsonl$/,call:/"type":"(?:function_call|custom_tool_call|mcp_tool_call|local_shell_call)"/,count:Dt},sign:e=>typeof e.turn_id=="string"&&"model"in e});function Dt(e){let{loop:t,payload:n}=e,o=R(e.path).flatMap(r=>{let a=r.includes('"total_token_usage"')?p(m,r):null;if(a===null)return[];let c=d(d(d(a,"payload"),"info"),"total_token_usage");return[{at:x(r)??t.startedAt,...ae(c,"cached_input_tokens")}]}),s=o.at(-1);if(s===void 0)return{used:null,note:null};let i=o.findLast(({at:r})=>r<t.startedAt)??le;return ue(e,s.tokens,i.tokens,y(n.model))}var{setTimeout:Mt}=require("node:timers/promises"),Pt={sign:'"session.usage_record"',read:e=>{let t=d(d(e,"data"),"usage");return{id:l(d(t,"accounting"),"usageId"),model:y(t.model),tokens:H(t,Ut)}}},Ut={input:"inputTokens",output:"outputTokens",total:"",cacheRead:"cacheReadTokens"},$t=b(Nt,{events:N,project:"COPILOT_PROJECT_DIR",limits:{toolResetsCap:!1},record:{file:/[\\/]session-state[\\/][^\\/]+[\\/]events\.jsonl$/,call:/"type":"tool\.execution_start"/,count:W(Pt)},echoes:!0,plain:Ft,stop:e=>({cap:8,rest:async()=>({message:await Ht(e),failed:null})}),say:e=>e.is==="brief"?{additionalContext:e.toAgent}:null});function Ft(e){let{tool_input:t,parent_agent_id:n,session_id:o}=e;return{...e,session_id:n??o,tool_input:typeof t=="string"?{command:t}:t}}var Gt=2e3,Y=20;async function Ht(e){let t=`"timestamp":${Date.parse(l(e,"timestamp"))}`;for(let n=0;;n+=Y){let o=R(l(e,"transcript_path")),s=i=>i.includes('"hookType":"agentStop"')&&i.includes(t);if(!o.some(s)&&n<Gt)await Mt(Y);else{let i=o.filter(r=>r.startsWith('{"type":"assistant.message"')).map(r=>p(m,r)??{}).filter(r=>!("agentId"in r));return l(d(i.at(-1)??{},"data"),"content")}}}function Wt(e){return typeof e=="string"?e:_e(e).flatMap(({text:t})=>typeof t=="string"?t:[]).join(`
`)}var Bt="\uFEFF";function ge(e){try{return qt(at(e)??"")}catch{return null}}function qt(e){let t=e.replace(Bt,"");return t.trim()===""?{}:p(m,t)}var Kt=b(Lt,{events:N,project:"DROID_PROJECT_DIR",record:{file:/[\\/]\.factory[\\/]sessions[\\/].*\.jsonl$/,call:/"type":"tool_use"/,count:Qt},plain:Yt,stop:e=>({rest:async()=>Vt(e)})});function B(e){return e.replace(/\.jsonl$/,".settings.json")}var Jt=/"callingSessionId": *"([\w-]+)"/,Xt=8;function Yt(e){let t=l(e,"session_id");if(e.hook_event_name!=="PreToolUse")return e;let n=l(e,"transcript_path"),o=n.slice(0,Math.max(n.lastIndexOf("/"),n.lastIndexOf("\\"))+1);for(let s=0;s<Xt;s++){let i=`${o}${t}.jsonl`,[,r]=Jt.exec(G(B(i))??"")??[];if(r===void 0)break;t=r}return{...e,session_id:t}}function Q(e,t="inclusiveTokenUsage"){let n=d(ge(B(e))??{},t);return{input:h(n,"inputTokens"),output:h(n,"outputTokens"),cacheRead:h(n,"cacheReadTokens"),cacheWrite:h(n,"cacheCreationTokens")}}function Qt(e){let{path:t,loop:n}=e,o=Q(t),s=(x(G(t)??"")??n.startedAt)<n.startedAt,i=Q(t,"lastCallTokenUsage"),r=s?re(o,i,(c,u)=>Math.max(0,c-u)):le.tokens,a=y(ge(B(t))?.model);return ue(e,o,r,a)}var zt=/^(?:[A-Z]\w+ )?Error: (\d{3})\b/;function Vt(e){let t=`"id":${JSON.stringify(e.message_id)}`,n=R(l(e,"transcript_path")),o=p(m,n.findLast(r=>r.includes(t))??"")??{},s=Wt(d(o,"message").content);if(d(o,"message").role!=="user")return{message:s,failed:null};let i=pt(Number(zt.exec(s)?.[1]??0))??null;return{message:"",failed:{error:"turn_failed",detail:s,fatal:i}}}function Zt(e){let t=new Uint8Array(Buffer.from(e+"\0".repeat(z))),n=new Uint32Array(t.buffer,0,t.length>>4<<2),o=t.length-z,{imul:s}=Math,i=2654435769^o,r=1103547991^o,a=2246822507^o,c=3735928559^o;for(let u=0;u<n.length;u+=4)i=s(i^c^(n[u]??0),2654435761),i^=i>>>15,r=s(r^i^(n[u+1]??0),1597334677),r^=r>>>13,a=s(a^r^(n[u+2]??0),2246822519),a^=a>>>14,c=s(c^a^(n[u+3]??0),3266489917),c^=c>>>16;return V(i,r)+V(a,c)}var z=31;function V(e,t){let n=Math.imul(e^e>>>16,2246822507)^Math.imul(t^t>>>13,3266489909);return(4294967296*(2097151&(Math.imul(t^t>>>16,2246822507)^Math.imul(n^n>>>13,3266489909)))+(n>>>0)).toString(36).padStart(11,"0")}var en={AfterAgent:"stop",BeforeAgent:"prompt",BeforeTool:"tool",SessionStart:"session-start",SessionEnd:"session-end"},tn={input:"input",output:"output",total:"total",cacheRead:"cached"},nn=b(jt,{events:en,chain:"chain",project:"GEMINI_PROJECT_DIR",record:{file:/[\\/]chats[\\/]session-[^\\/]+\.jsonl$/,call:/"toolCalls":\[\{/,count:W(ce("id","tokens",tn))},echoes:!0,plain:e=>{let t=l(e,"prompt");return{...e,chain:t&&Zt(t)}},stop:e=>({rest:async()=>rn(e)}),say:on});function on(e){return e.is==="deny"?{decision:"deny",reason:e.toAgent}:e.is==="permit"?{decision:"allow",reason:e.why}:null}var sn={error:"loop_detected",detail:"it asks the model no more after similar answers; model.disableLoopDetection in its settings turns that off",fatal:null};function rn(e){let t=R(l(e,"transcript_path")),n=t.findLast(o=>o.startsWith('{"id":'))?.includes("System: Potential loop detected");return{message:an(e,t),failed:n===!0?sn:null}}function an(e,t){let n=l(e,"prompt_response").trimEnd(),o=t.findLast(i=>i.includes('"type":"gemini"')),{content:s}=p(m,o??"")??{};return typeof s=="string"&&s!==""&&n.endsWith(s.trimEnd())?s:n.split(`
`).at(-1)??""}var ln={...N,StopFailure:"fault"},cn={input:"promptTokenCount",output:"candidatesTokenCount",total:"totalTokenCount",cacheRead:"cachedContentTokenCount"},un=b(D,{limits:{toolResetsCap:!1},events:ln,fatal:{authentication_failed:"auth",billing_error:"billing",model_not_found:"model"},chain:"prompt_id",project:"QWEN_PROJECT_DIR",record:{file:/[\\/]chats[\\/][\da-f-]{36}\.jsonl$/,call:/"functionCall":\{/,count:W(ce("uuid","usageMetadata",cn))},stop:(e,t)=>({cap:gn(l(e,"cwd"),t)-1})}),dn="stopHookBlockingCap",mn=100,pn=8;function gn(e,t){let n=s=>te(m,()=>G(`${s}/settings.json`))?.[dn],o=[t.QWEN_CODE_STOP_HOOK_BLOCK_CAP,n(`${e}/${D.folder}`),n(D.home(t))];return Math.min(o.map(s=>Math.floor(Number(s))).find(s=>s>=1)??pn,mn)}var Z=[wt,$t,Kt,un,nn],fn=["GROK_HOOK_EVENT","cursor_version"];function hn(e,t){return Z.find(n=>n.recognises(e,{}))??Z.find(n=>n.recognises(e,t))??fn.find(n=>t[n]||n in e)??null}module.exports={otherCaller:hn};
