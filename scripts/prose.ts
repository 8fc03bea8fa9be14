import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { parseAsync, types } from '@babel/core'
import { inCheckout } from './layout.ts'

/**
 * `npm run check` calls this: it reads comments, texts and documents, and reports dialect. Prose is plain technical English
 * (CONTRIBUTING.md): the actor is named, sentences are short, and words are those of the field.
 */

/** Words of the dialect, each with a replacement. */
const banned: readonly (readonly [pattern: RegExp, instead: string])[] = [
	[/\bwhoever\b/i, 'name the actor: user, client, caller, host, driver'],
	[/\b(nobody|somebody|someone else|anybody)('s)?\b/i, 'name the actor, or write "no client", "another process"'],
	[/\bmend(s|ed|ing)?\b/i, 'correct, repair'],
	[/\breckon(s|ed|ing)?\b/i, 'compute, estimate'],
	[/\bof (its|their|his|her|one['’]s) own\b/i, 'own, separate, private'],
	[/\bof (theirs|ours)\b/i, 'name the owner'],
	[/\blet(s)? (in|them in|it in|nobody in)\b/i, 'accept, allow'],
	[/\blook(s|ed)? after\b/i, 'manage, own'],
	[/\bby hand of\b/i, 'by'],
	[/\bas it lies\b/i, 'unchanged'],
	[/\btells? no\b/i, 'does not report'],
	[/\b(is|are|be|was|were) told\b(?! apart)/i, 'is notified, is reported, receives'],
	[/\b(brings?|brought)\b(?!-| (\w+ )?back\b)/i, 'has, includes'],
	[/\bas (it|they) stands?\b/i, 'unchanged'],
	[/\bchanges? hands\b/i, 'is replaced'],
	[/\bbears? the\b/i, 'has the'],
	[/\bin a person's hands\b/i, 'name the setting'],
	[/\b(is|are) there no more\b/i, 'no longer exists'],
	[/\b(where|who) it is due\b/i, 'when required'],
	[/\bvouch(es|ed|ing)?\b/i, 'verify'],
	[/\bswollen\b/i, 'oversized'],
	[/\banew\b/i, 'again'],
	[/\bwithout a word\b/i, 'silently'],
	[/\b(beckon|hither|thither|whence|thereof|therein|whereof|lest)\b/i, 'plain words'],
]

/** Banned in comments only, because messages and documents still contain them. */
const bannedInComments: typeof banned = [
	[/\btroubles?\b/i, 'error, warning'],
	[/\b(is|are|was|were) cut\b(?! off)/i, 'truncated'],
	[/\bsays so\b/i, 'reports this'],
	[/\b(is|are|was|were) no (text|object|JSON|number|statement)\b/, 'is not a'],
	[/\bmost (bytes|rows|characters)\b/i, 'maximum number of'],
]

/** Longest sentence, in words. STYLE asks for 25; a list of names in a sentence may pass it. */
const longestSentence = 35

interface Prose {
	readonly file: string
	readonly line: number
	readonly text: string
	/** Texts of the product are checked for words alone: a message may join several facts. */
	readonly kind: 'comment' | 'text' | 'document'
}

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
	cwd: inCheckout(),
	encoding: 'utf8',
})
	.split('\0')
	.filter(file => /\.(ts|tsx|mjs|md)$/.test(file) && !file.includes('/generated/'))
	// The first lists the words, and the second is a copy of a text that is not ours.
	.filter(file => file !== 'scripts/prose.ts' && file !== 'tests/contract/service-contract.md')

async function proseOf(file: string): Promise<readonly Prose[]> {
	const text = await readFile(inCheckout(file), 'utf8')
	return file.endsWith('.md') ? documentProse(file, text) : await codeProse(file, text)
}

function documentProse(file: string, text: string): readonly Prose[] {
	let isCode = false
	return text.split('\n').flatMap((line, index) => {
		if (line.startsWith('```')) isCode = !isCode
		return isCode ? [] : [{ file, line: index + 1, text: line.replace(/`[^`]*`/g, 'code'), kind: 'document' } as const]
	})
}

async function codeProse(file: string, code: string): Promise<readonly Prose[]> {
	const tree = await parseAsync(code, {
		filename: file,
		babelrc: false,
		configFile: false,
		parserOpts: { plugins: ['typescript', ...(file.endsWith('.tsx') ? (['jsx'] as const) : [])] },
	})
	const found: Prose[] = []
	const note = (line: number | undefined, text: string, kind: Prose['kind']) =>
		found.push({ file, line: line ?? 0, text, kind })
	// Adjacent lines are one comment.
	let before: { end: number; text: string; line: number } | undefined
	for (const { value, type, loc } of tree?.comments ?? []) {
		const start = loc?.start.line ?? 0
		const words = value.replace(/^\s*\*+ ?/gm, '').replace(/`[^`]*`|\{@link [^}]*\}/g, 'code')
		if (type === 'CommentLine' && before && start === before.end + 1) {
			before.text += ` ${words}`
			before.end = start
			continue
		}
		if (before) note(before.line, before.text, 'comment')
		before = { end: loc?.end.line ?? start, text: words, line: start }
	}
	if (before) note(before.line, before.text, 'comment')
	if (!tree) return found
	types.traverseFast(tree, node => {
		if (types.isStringLiteral(node) || types.isJSXText(node)) note(node.loc?.start.line, node.value, 'text')
		else if (types.isTemplateElement(node)) note(node.loc?.start.line, node.value.cooked ?? '', 'text')
	})
	return found
}

function complaintsOf({ file, line, text, kind }: Prose): readonly string[] {
	const patterns = kind === 'comment' ? [...banned, ...bannedInComments] : banned
	const words = patterns.flatMap(([pattern, instead]) => {
		const match = pattern.exec(text)
		return match ? [`${file}:${line}: "${match[0]}": ${instead}`] : []
	})
	if (kind !== 'comment') return words
	const long = sentencesOf(text).filter(sentence => wordCount(sentence) > longestSentence)
	return [
		...words,
		...long.map(sentence => `${file}:${line}: ${wordCount(sentence)} words: ${sentence.slice(0, 80)} …`),
	]
}

/** An empty line, a list's dash and a tag end a sentence too. */
const sentencesOf = (text: string) =>
	text.split(/(?<=[.!?:;])\s+|\n\s*\n|\n\s*-\s|@\w+/).map(part => part.replace(/\s+/g, ' ').trim())
const wordCount = (sentence: string) => sentence.split(' ').filter(word => /\w/.test(word)).length

const complaints = (await Promise.all(files.map(proseOf))).flat().flatMap(complaintsOf)
for (const complaint of complaints) process.stdout.write(`${complaint}\n`)
process.stdout.write(`prose: ${complaints.length} places to write in plain English\n`)
process.exitCode = complaints.length === 0 ? 0 : 1
