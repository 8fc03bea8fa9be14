import { fileURLToPath } from 'node:url'
import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import openParser, { type ParserModule } from 'libpg-query/wasm/libpg-query.js'

/**
 * PostgreSQL's own grammar in WebAssembly. The package's functions do not accept the path of the file, and keep using a
 * parser whose stack has overflowed.
 */

/** The tree of one statement: its kind and its parts. https://github.com/pganalyze/libpg_query */
export type Tree = JsonObject

export type Parsed = { readonly statements: readonly Tree[] } | { readonly message: string }

type ParsedBody = { readonly body: Json } | { readonly message: string }

/** Longer statements have no verdict, because the parser would stop the driver. */
const longest = 2_000_000

let opened: Promise<ParserModule> | undefined

/** Parses a text without places. A text that the grammar refuses has a message. */
export function parse(text: string): Promise<Parsed> {
	return usingParser<Parsed>(text, parseWith)
}

/** Parses CREATE FUNCTION or DO with a body in PL/pgSQL. Does not parse the statements in it. */
export function parseBody(text: string): Promise<ParsedBody> {
	return usingParser<ParsedBody>(text, parseBodyWith)
}

async function usingParser<T>(
	text: string,
	work: (parser: ParserModule, text: string) => T,
): Promise<T | { readonly message: string }> {
	// The parser reads a text up to the first NUL, and the server refuses one.
	if (text.includes('\u0000')) return { message: 'the text contains a NUL character' }
	if (text.length > longest) return { message: 'the statement is too long' }
	if (!text.isWellFormed()) return { message: 'the text is no Unicode' }
	opened ??= openParser({
		locateFile: name => fileURLToPath(new URL(`./generated/${name}`, folderUrl)),
		print: () => {},
		printErr: () => {},
	})
	const parser = await opened
	try {
		return work(parser, text)
	} catch {
		// Deep brackets overflow the parser's stack. It cannot be used again.
		opened = undefined
		return { message: 'the statement is too deep' }
	}
}

/** In the bundle this module is beside `generated`; in the sources it is one folder below. */
const folderUrl = import.meta.url.replace(/\/console\/parser\.ts$/, '/driver.js')

/** Copies a text into the memory of the parser. The caller frees it. */
function copied(parser: ParserModule, text: string): number {
	const size = parser.lengthBytesUTF8(text) + 1
	const input = parser._malloc(size)
	parser.stringToUTF8(text, input, size)
	return input
}

function parseWith(parser: ParserModule, text: string): Parsed {
	const input = copied(parser, text)
	const result = parser._wasm_parse_query_raw(input)
	try {
		const error = parser.getValue(result + 8, 'i32')
		// https://github.com/pganalyze/libpg_query: PgQueryError in pg_query.h
		if (error !== 0) return { message: parser.UTF8ToString(parser.getValue(error, 'i32')) }
		const json: Json = JSON.parse(parser.UTF8ToString(parser.getValue(result, 'i32')))
		const list = isJsonObject(json) && Array.isArray(json.stmts) ? json.stmts : []
		return { statements: list.flatMap(one => (isJsonObject(one) && isJsonObject(one.stmt) ? [one.stmt] : [])) }
	} finally {
		parser._free(input)
		parser._wasm_free_parse_result(result)
	}
}

function parseBodyWith(parser: ParserModule, text: string): ParsedBody {
	const input = copied(parser, text)
	const result = parser._wasm_parse_plpgsql(input)
	try {
		const answer = parser.UTF8ToString(result)
		// All else is a message of the parser.
		return answer.startsWith('{') ? { body: JSON.parse(answer) } : { message: answer }
	} finally {
		parser._free(input)
		parser._wasm_free_string(result)
	}
}
