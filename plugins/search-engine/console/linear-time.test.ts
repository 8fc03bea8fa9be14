import { describe, expect, test } from 'vitest'
import { someOf } from '../../../tests/support/cases.ts'
import type { Engine } from '../transport/product.ts'
import { bindParameters } from './bind.ts'
import { classifyRequest } from './classify.ts'
import { formatText } from './format.ts'
import { grantOf } from './grant-target.ts'
import { readRequest } from './request.ts'
import { splitStatements } from './split.ts'

/**
 * All connections of a driver share one process, so a text that takes quadratic time stops the work of all clients.
 * Texts are grown from each pair of a shape and a repeated unit, and the time of two lengths is compared.
 */

const engine: Engine = { version: [7, 17], isOpenSource: true, isServerless: false }

function analyse(text: string): void {
	for (const { text: statement } of splitStatements(text)) {
		try {
			const request = readRequest(statement)
			classifyRequest(request, engine)
			grantOf(request)
		} catch {
			// Most of these texts are no request. The time until they are refused counts.
		}
	}
}

const bind = (text: string) => {
	try {
		bindParameters(text, { a: 'x' })
	} catch {
		// The same applies here.
	}
}

const units = [
	' ',
	'\t',
	'\u2028',
	'"',
	'\\',
	'\\"',
	'{',
	'[',
	'{"a":',
	'#',
	'# ',
	'//',
	'// ',
	'/*',
	'/* */',
	'*/',
	'<',
	'<{now',
	'{now',
	'%25',
	'%',
	';',
	'&',
	'=',
	'&=',
	'.a',
	'.',
	'a',
	'""',
	'"""',
	'"a",',
	',',
	'1',
	'1e',
	'-',
	'\n',
	'\n ',
	'GET ',
	'POST /a\n',
	'{}\n',
	'{"a":1}\n',
	'{"index":{}}\n{}\n',
	'{"script":',
	'"script",',
	"'",
	'ctx._source.a',
	'ctx._source.a ',
	';;',
	'@',
	'://',
	'://a',
	'\\u0022',
	'\u3164',
	'params.a',
	'"_index":"a",',
	'-a,',
	'*',
	'**',
	'a,',
	'/a',
	'?',
	'1.1.1.',
	':',
	'{{a}}',
	'"{{a}}",',
	'{{',
	'| ',
	'FROM a\n',
	'(',
	'"a":{"b":1},',
]

const shapes: readonly (readonly [start: string, end: string])[] = [
	['', ''],
	['GET /', ' x'],
	['GET /a?', ''],
	['GET ', 'a\u2028b'],
	['POST /a/_update/1\n{"script":"', 'x"}'],
	['POST /a/_update/1\n{"script":{"source":"ctx._source.a', 'x"}}'],
	['POST /a/_update/1\n{"doc":{"a":"', '"}}'],
	['POST /a/_bulk\n', ''],
	['POST /a/_bulk\n{"index":{"_id":"', '"}}\n{}'],
	['PUT /a/_settings\n{"a":"', '"}'],
	['POST /a/_search\n', ''],
	['POST /a/_search\n{"q":', '}'],
	['POST /a/_search\n{"query":{"terms":{"q":[', '""]}}}'],
	['POST /a/_search\n{"query":{"query_string":{"query":"', '"}}}'],
	['PUT /a/_doc/', ''],
	['POST /_aliases\n{"actions":[', ']}'],
	['FROM a | WHERE ', '"'],
	['FROM a,\n(', '\n)'],
]

/** A shorter time is mostly noise. */
const noiseMs = 2

const works = { analyse, formatText, bind }
const length = 3_000
const growth = 8

/** Linear work takes 8 times as long for a text of 8 times the length, and quadratic work 64 times. */
const mostGrowth = 40

/** Returns the processor time of this thread in milliseconds, which other work on the machine does not add to. */
function spentMs(): number {
	const { user, system } = process.threadCpuUsage()
	return (user + system) / 1000
}

/** Returns the shortest of several times, because a pattern is compiled at its second use. */
function shortest(work: (text: string) => void, text: string, runs: number): number {
	const times: number[] = []
	for (let run = 0; run < runs; run++) {
		const startedAt = spentMs()
		work(text)
		times.push(spentMs() - startedAt)
	}
	return Math.max(noiseMs, Math.min(...times))
}

function isSuperlinear(work: (text: string) => void, textOf: (length: number) => string): boolean {
	// Almost all texts are refused at once, so their growth need not be measured.
	if (shortest(work, textOf(length * growth), 1) <= mostGrowth * noiseMs) return false
	const grows = (runs: number) => {
		const short = shortest(work, textOf(length), runs)
		return shortest(work, textOf(length * growth), runs) > mostGrowth * short
	}
	// A pause of the machine looks like growth once, quadratic work each time.
	return grows(2) && grows(3) && grows(5)
}

describe.each(Object.entries(works))('%s', (_, work) => {
	test.each(someOf(shapes))('takes linear time for a text between %j and %j', (start, end) => {
		const slow = units.filter(unit => {
			const textOf = (size: number) => `${start}${unit.repeat(Math.ceil(size / unit.length))}${end}`
			return isSuperlinear(work, textOf)
		})
		expect(slow).toEqual([])
	})
})

test('takes no longer for the members of a deep object than for those of a flat one', () => {
	const textOf = (depth: number) => {
		const members = `{${'"a":1,'.repeat(6_000)}"b":1}`
		return `POST /a/_bulk\n{"index":${'{"a":'.repeat(depth)}${members}${'}'.repeat(depth)}}\n{}`
	}
	const isSlow = (runs: number) => shortest(analyse, textOf(450), runs) > 3 * shortest(analyse, textOf(1), runs)
	expect(isSlow(2) && isSlow(4)).toBe(false)
})
