/** One spelling for the names that hosts, clouds and price lists give to the same model. */

/** `openai/gpt-5`, `models/gemini-2.5-pro`, `us.anthropic.claude-opus-4-5`. */
const PLACE = /^(?:.*\/)?(?:(?:[a-z-]+\.)*anthropic\.)?/;
/** `claude-opus-4-5[1m]`. */
const WINDOW = /\[[^\]]*\]$/;
/** A date, a release or a promise that it is the newest: none of these changes the price. */
const RELEASE = /(?:[-@](?:latest|preview(?:-\d\d-\d{2,4})?|\d{4}-\d\d-\d\d|\d{8})|(?<=\d)-v1(?::\d)?)+$/;

export function modelKey(model: string): string {
  return model.toLowerCase().replace(PLACE, '').replace(WINDOW, '').replace(RELEASE, '').replaceAll('.', '-');
}
