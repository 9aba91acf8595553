// Written by scripts/build/prices.mjs from @pydantic/genai-prices 0.1.8, as of 2026-11-18. Do not edit.

/**
 * US dollars per million tokens: input, output, input from the cache; then models of that price, as
 * `modelKey` spells them.
 */
export const PRICE_LIST = `
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
`;

/** The highest price of each kind in the list. */
export const DEAREST_LISTED = [150, 600, 150] as const;
