import { splitPath } from '../../transport/request-path.ts'
import { tokensOf } from '../scan.ts'
import { type Part, partsOf } from '../split.ts'
import { type BodyContext, bodyContextAt } from './body-context.ts'

/** The place in a console text where the user types. `from` is where the typed word begins. */
export type CompletionContext =
	| { readonly kind: 'method'; readonly from: number; readonly word: string }
	| {
			readonly kind: 'path'
			readonly from: number
			readonly word: string
			readonly method: string
			/** Segments before the typed one. */
			readonly segments: readonly string[]
			/** After a comma: only another name can follow. */
			readonly isInList: boolean
	  }
	| {
			readonly kind: 'parameter'
			readonly from: number
			readonly word: string
			readonly method: string
			readonly segments: readonly string[]
			/** The parameter whose value is being typed. If absent, its name is being typed. */
			readonly name?: string
			/** Earlier values of a list. */
			readonly values: readonly string[]
	  }
	| (BodyContext & {
			readonly kind: 'body'
			readonly from: number
			readonly method: string
			readonly segments: readonly string[]
	  })
	/** A query of ES|QL, up to there. Its own place is that of `esqlAt`. */
	| { readonly kind: 'query'; readonly from: number; readonly word: ''; readonly query: string }

const methodLine = /^[ \t]*(GET|POST|PUT|DELETE|HEAD)[ \t]+(\S*)$/i

/** Returns the query of ES|QL at the end of a text; `undefined` elsewhere. */
function queryAtEnd(before: string): string | undefined {
	const last = partsOf(before).at(-1)
	// A word after an empty line may begin something else.
	if (!last?.isQuery || /\n[ \t]*\n[ \t]*[a-z]*$/i.test(before.slice(last.start))) return undefined
	return before.slice(last.start)
}

/** Returns `undefined` if nothing can be completed: in a comment or a number. */
export function contextAt(text: string, offset: number): CompletionContext | undefined {
	const before = text.slice(0, offset)
	const query = queryAtEnd(before)
	if (query !== undefined) return { kind: 'query', from: offset, word: '', query }
	if (endsInComment(before)) return undefined
	const lineStart = before.lastIndexOf('\n') + 1
	const line = before.slice(lineStart)
	const request = partsOf(before.slice(0, lineStart)).findLast(part => part.lineEnd !== undefined)
	const body = request && bodyAt(before, request)
	if (body === undefined || body.place?.depth === 0) {
		const [found, method = '', target = ''] = methodLine.exec(line) ?? []
		if (found !== undefined) return placeInTarget(method.toUpperCase(), target, offset)
		const word = /^[ \t]*([a-z]*)$/i.exec(line)?.[1]
		if (word !== undefined) return { kind: 'method', from: offset - word.length, word }
	}
	if (body?.place === undefined || body.place.depth === 0) return undefined
	const { method, segments } = body
	return { kind: 'body', from: offset - body.place.word.length, method, segments, ...body.place }
}

function endsInComment(text: string): boolean {
	const last = [...tokensOf(text)].at(-1)
	if (last?.kind !== 'comment' || last.end < text.length) return false
	return !/^\/\*[\s\S]*\*\/$/.test(text.slice(last.start))
}

function bodyAt(before: string, { start, lineEnd = start }: Part) {
	const [method = '', target = ''] = before.slice(start, lineEnd).split(/\s+/)
	return {
		method: method.toUpperCase(),
		segments: segmentsOf(target.split('?')[0] ?? ''),
		place: bodyContextAt(before.slice(lineEnd)),
	}
}

function placeInTarget(method: string, target: string, offset: number): CompletionContext {
	const question = target.indexOf('?')
	if (question < 0) {
		const word = /[^/,]*$/.exec(target)?.[0] ?? ''
		const path = target.slice(0, target.lastIndexOf('/') + 1)
		const isInList = target[target.length - word.length - 1] === ','
		const from = offset - word.length
		return { kind: 'path', from, word, method, segments: segmentsOf(path), isInList }
	}
	const segments = segmentsOf(target.slice(0, question))
	const [, name, typed = ''] = /(?:^|&)(?:([^&=]*)=)?([^&=]*)$/.exec(target.slice(question + 1)) ?? []
	const values = name === undefined ? [typed] : typed.split(',')
	const word = values.pop() ?? ''
	const from = offset - word.length
	return { kind: 'parameter', from, word, method, segments, values, ...(name !== undefined && { name }) }
}

function segmentsOf(path: string): string[] {
	return splitPath(path).map(segment => {
		try {
			return decodeURIComponent(segment)
		} catch {
			// An incomplete escape, which is being typed.
			return segment
		}
	})
}
