/** The parts of Lucene syntax, as sources of regular expressions. */

export const name = String.raw`(?:\\.|[\p{L}\p{N}_@.*-])+`
export const quotedText = String.raw`"(?:\\.|[^"\\])*"`
/** A regular expression ends where its word ends. One with a blank has no colon, which begins another condition. */
export const expression = String.raw`(?<=^|[\s(:!+-])\/(?:(?:\\.|[^/\\\s])*|(?:\\.|[^/\\:])*[^\s/\\:])\/(?=$|[\s)^~])`
/** What has no words and no conditions in it: an escaped character, a quoted text, a regular expression or a range. */
export const opaque = String.raw`\\.|"(?:\\.|[^"\\])*"?|${expression}|[[{][^\]}]*[\]}]`
export const word = String.raw`(?:\\.|[^\s"(){}[\]:<>\\])+`
/** A word that is no operator and begins no condition. */
export const nextWord = String.raw`(?!(?:and|or|not)(?=[\s)]|$)|[+!-]|&&|\|\|)${word}(?=[\s)]|$)(?!\s*[:<>])`

/** Returns a name or a word without its escapes. */
export const plain = (text: string) => text.replaceAll(/\\(.)/gs, '$1')

/** Returns what a quoted text or a word means. */
export const typedText = (text: string) => plain(text.replace(/^"|(?<=^".*)"$/gs, ''))
