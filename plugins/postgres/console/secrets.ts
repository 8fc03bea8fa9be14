import type { Verdict } from '@roundhouse/kit'
import type { StatementSpan, Token } from '@roundhouse/sql'

/**
 * Finds the secrets of a statement: the texts after a name that means a secret. `create role … password '…'`, `options (password
 * '…')`, `set app.api_token = '…'`, `set_config('app.api_token', '…', …)`. A quoted body that contains such a name is
 * secret as a whole, because it is not read. So is all that follows the name of a setting, because its value needs no quotes.
 */
export function secretsOf(text: string, { start, tokens }: StatementSpan): NonNullable<Verdict['secrets']> {
	const words = tokens.filter(({ kind }) => kind !== 'blank' && kind !== 'comment')
	const textOf = (token: Token | undefined) => (token ? text.slice(token.start, token.end) : '')
	const setting = valueOfSetting(words.map(textOf))
	const before = setting === undefined ? words : words.slice(0, setting)
	const texts = before.flatMap((token, index) => {
		if (token.kind !== 'string') return []
		const body = textOf(token)
		const isBody = bodyMark.test(body) && secretWord.test(body)
		if (!isBody && !followsSecretName(words.slice(Math.max(0, index - reach), index).map(textOf))) return []
		return [{ start: token.start - start, end: token.end - start }]
	})
	const [first, last] = setting === undefined ? [] : [words[setting], words.at(-1)]
	return first && last ? [...texts, { start: first.start - start, end: last.end - start }] : texts
}

/** First words of statements with a clause that sets a setting: `alter role bob set app.token = x`. */
const settingStatement = /^(?:set|alter|create)$/i

/** Returns the index of the first word behind the name of a setting that means a secret, and behind its sign. */
function valueOfSetting(words: readonly string[]): number | undefined {
	if (!settingStatement.test(words[0] ?? '')) return undefined
	for (const [at, word] of words.entries()) {
		if (word.toLowerCase() !== 'set') continue
		const from = /^(?:session|local)$/i.test(words[at + 1] ?? '') ? at + 2 : at + 1
		let end = from + 1
		while (words[end] === '.') end += 2
		if (!secretWord.test(words.slice(from, end).join(''))) continue
		return /^(?:=|to)$/i.test(words[end] ?? '') ? end + 1 : end
	}
	return undefined
}

const secretWord =
	/(?:password|passwd|passphrase|secret|token|api_?key|access_?key|private_?key|credential|conninfo)s?\d*/i

/** Marks of a text that is read as SQL or as settings, not as a value. */
const bodyMark = /^\$|[=:\s]/

/** Number of tokens before a text that can name it: `name`, `.`, `name`, `=`. */
const reach = 6

/** Signs and words between a name and its value. */
const between = /^(?:=|:=|to|=>|,|\(|is|encrypted|unencrypted|local|session)$/i

const assigning = /^(?:=|:=|to|=>)$/i

function followsSecretName(before: readonly string[]): boolean {
	// `password = crypt('…')`: the function is no name of the value.
	const isCall = (at: number) => before[at + 1] === '(' && assigning.test(before[at - 1] ?? '')
	const name = before.findLast((word, at) => !between.test(word) && !isCall(at))
	return name !== undefined && secretWord.test(name)
}
