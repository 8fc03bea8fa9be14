import type { Verdict } from '@roundhouse/kit'
import type { Token } from '../sql/lexer.ts'
import type { Piece } from '../sql/split.ts'

/**
 * Finds the secrets of a statement: the texts after a name that means a secret. `create role … password '…'`, `options (password
 * '…')`, `set app.api_token = '…'`, `set_config('app.api_token', '…', …)`. A quoted body that contains such a name is
 * secret as a whole, because it is not read.
 */
export function secretsOf(text: string, { start, tokens }: Piece): NonNullable<Verdict['secrets']> {
	const words = tokens.filter(({ kind }) => kind !== 'blank' && kind !== 'comment')
	const textOf = (token: Token | undefined) => (token ? text.slice(token.start, token.end) : '')
	return words.flatMap((token, index) => {
		if (token.kind !== 'string') return []
		const body = textOf(token)
		const isBody = bodyMark.test(body) && secretWord.test(body)
		if (!isBody && !followsSecretName(words.slice(Math.max(0, index - reach), index).map(textOf))) return []
		return [{ start: token.start - start, end: token.end - start }]
	})
}

const secretWord =
	/(?:password|passwd|passphrase|secret|token|api_?key|access_?key|private_?key|credential|conninfo)s?\d*/i

/** Marks of a text that is read as SQL or as settings, not as a value. */
const bodyMark = /^\$|[=:\s]/

/** Number of tokens before a text that can name it: `name`, `.`, `name`, `=`. */
const reach = 6

/** Signs and words between a name and its value. */
const between = /^(?:=|:=|to|=>|,|\(|is|encrypted|unencrypted|local|session)$/i

function followsSecretName(before: readonly string[]): boolean {
	const name = before.findLast(word => !between.test(word))
	return name !== undefined && secretWord.test(name)
}
