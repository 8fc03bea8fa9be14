import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fullEngine } from '../test/fixture.ts'
import { classifyRequest } from './classify.ts'
import { destroyingRows } from './destroying-body.ts'
import { readRequest } from './request.ts'

const access = (text: string) => classifyRequest(readRequest(text), fullEngine).access

/** Groups of equivalent requests, by their effect. */
const groups = {
	'aliases are removed by a pattern': [
		'DELETE /books/_alias/*',
		'DELETE /_all/_alias/old',
		'DELETE /books,b*/_aliases/old',
		'POST /_aliases\n{"actions":[{"remove":{"index":"b*","alias":"old"}}]}',
	],
	'an index is deleted': [
		'DELETE /books',
		'POST /_aliases\n{"actions":[{"remove_index":{"index":"books"}}]}',
		'POST /_aliases\n{"actions":[{"add":{"index":"b","alias":"books"}},{"remove_index":{"index":"books"}}]}',
	],
	'a document is deleted': [
		'DELETE /books/_doc/1',
		'POST /books/_bulk\n{"delete":{"_id":"1"}}',
		'POST /books/_update/1\n{"script":"ctx.op = \'delete\'"}',
		'POST /_bulk\n{"update":{"_index":"books","_id":"1"}}\n{"script":{"source":"ctx.op = \'delete\'"}}',
	],
	'an index gets a policy or a retention': [
		'PUT /books/_settings\n{"index.lifecycle.name":"short"}',
		'PUT /books/_settings\n{"index":{"lifecycle":{"name":"short"}}}',
		'PUT /books/_settings\n{"lifecycle.name":"short"}',
		'PUT /books\n{"settings":{"index":{"lifecycle":{"name":"short"}}}}',
		'PUT /_index_template/t\n{"index_patterns":["b*"],"template":{"settings":{"index.lifecycle.name":"short"}}}',
		'PUT /_index_template/t\n{"index_patterns":["b*"],"template":{"lifecycle":{"data_retention":"1d"}}}',
		'PUT /_component_template/t\n{"template":{"lifecycle":{"data_retention":"1d"}}}',
		'PUT /_template/t\n{"index_patterns":["b*"],"settings":{"index.lifecycle.name":"short"}}',
		'POST /books/_rollover\n{"settings":{"index.lifecycle.name":"short"}}',
		'POST /books/_clone/other\n{"settings":{"index.lifecycle.name":"short"}}',
		'POST /_snapshot/r/s/_mount\n{"index":"books","index_settings":{"index.lifecycle.name":"short"}}',
		'PUT /_data_stream/books/_lifecycle\n{"data_retention":"1d"}',
	],
	// Seen on 8.2.3; 7.17.29 refuses it.
	'an index stops storing its documents': [
		'PUT /books/_mapping\n{"_source":{"enabled":false}}',
		'POST /books/_mappings\n{"_source":{"mode":"disabled"}}',
		'PUT /books\n{"mappings":{"_source":{"enabled":false}}}',
		'PUT /_index_template/t\n{"index_patterns":["b*"],"template":{"mappings":{"_source":{"enabled":false}}}}',
		'PUT /_component_template/t\n{"template":{"mappings":{"_source":{"enabled":false}}}}',
		'PUT /_template/t\n{"index_patterns":["b*"],"mappings":{"_source":{"enabled":false}}}',
		'POST /books/_rollover\n{"mappings":{"_source":{"enabled":false}}}',
	],
	'a policy deletes': [
		'PUT /_ilm/policy/p\n{"policy":{"phases":{"delete":{"actions":{}}}}}',
		'PUT /_ilm/policy/p\n{"policy":{"phases":{"warm":{"actions":{"downsample":{"fixed_interval":"1h"}}}}}}',
		'PUT /_ilm/policy/p\n{"policy":{"phases":{"warm":{"actions":{"rollup":{}}}}}}',
	],
	'a watch deletes': [
		'PUT /_watcher/watch/w\n{"actions":{"a":{"webhook":{"method":"delete"}}}}',
		'PUT /_watcher/watch/w\n{"input":{"http":{"request":{"method":"delete","path":"/books"}}}}',
		'PUT /_watcher/watch/w\n{"input":{"chain":{"inputs":[{"a":{"http":{"request":{"method":"delete"}}}}]}}}',
		'PUT /_watcher/watch/w\n{"actions":{"a":{"email":{"attachments":{"x":{"http":{"request":{"method":"delete"}}}}}}}}',
		'POST /_watcher/watch/w/_execute',
	],
	'a setting of the cluster deletes': [
		'PUT /_cluster/settings\n{"persistent":{"xpack.monitoring.history.duration":"1d"}}',
		'PUT /_cluster/settings\n{"persistent":{"xpack":{"monitoring":{"history":{"duration":"1d"}}}}}',
		'PUT /_cluster/settings\n{"persistent":{"action":{"destructive_requires_name":false}}}',
	],
} as const

describe.each(Object.entries(groups))('%s', (_, texts) => {
	test.each(texts)('destructive: %s', text => {
		expect(access(text)).toBe('destructive')
	})
})

const harmless = [
	'POST /_aliases\n{"actions":[{"add":{"index":"books","alias":"new"}}]}',
	'POST /_aliases\n{"actions":[{"add":{"index":"b","alias":"a","filter":{"wildcard":{"t":"x*"}}}}]}',
	// Removing an alias deletes no documents.
	'DELETE /books/_alias/old',
	'DELETE /books/_aliases/old,older',
	'POST /_aliases\n{"actions":[{"remove":{"index":"books","alias":"old"}}]}',
	'POST /_aliases\n{"actions":[{"add":{"index":"b2","alias":"books"}},{"remove":{"index":"b1","alias":"books"}}]}',
	'PUT /books\n{"settings":{"index":{"number_of_replicas":0}}}',
	'PUT /_index_template/t\n{"index_patterns":["b*"],"template":{"settings":{"number_of_shards":1}}}',
	'PUT /_watcher/watch/w\n{"input":{"search":{"request":{"indices":["books"]}}},"actions":{"a":{"logging":{"text":"x"}}}}',
	'PUT /_cluster/settings\n{"persistent":{"cluster.routing.allocation.enable":"all"}}',
	'POST /books/_bulk\n{"index":{}}\n{"lifecycle":"x"}',
	'PUT /books/_doc/1\n{"delete":"me"}',
]

test.each(harmless)('write: %s', text => {
	expect(access(text)).toBe('write')
})

test('each row of a destroying body has a reason', () => {
	for (const { paths, words, reason } of destroyingRows) {
		expect([paths.length > 0, words.length > 0, /^.+\.$/.test(reason)], reason).toEqual([true, true, true])
	}
})

/** Chooses a spelling at each place with several. */
type Choose = (ways: number) => number

/** Returns the same request in another spelling. */
function respelt(text: string, choose: Choose): string {
	const [line = '', ...body] = text.split('\n')
	const [method = '', path = ''] = line.split(' ')
	const spelt = [...path].map(character => {
		if (character === '/') return ['/', '//'][choose(2)]
		return choose(4) === 0 ? `%${character.charCodeAt(0).toString(16).padStart(2, '0')}` : character
	})
	const more = ['', '/', '?pretty', '?;human=true', '/?error_trace=true&pretty', '?=pretty;;a=b'][choose(6)]
	const verb = choose(2) === 0 ? method : method.toLowerCase()
	return [`${verb} ${spelt.join('')}${more}`, ...body.map(json => respeltJson(json, choose))].join('\n')
}

/** Adds escapes to strings, and space and comments between tokens. */
function respeltJson(json: string, choose: Choose): string {
	const space = () => ['', '', ' ', '\t', '\n ', ' /* x */ ', ' // x\n'][choose(7)] ?? ''
	return json.replaceAll(/"((?:[^"\\]|\\.)*)"|[{}[\],:]/g, (token, inner?: string) => {
		if (inner === undefined) return space() + token + space()
		const escaped = [...inner].map(character =>
			/[\w ]/.test(character) && choose(4) === 0
				? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
				: character,
		)
		return `"${escaped.join('')}"`
	})
}

test('gives every spelling of a request the same verdict', () => {
	const requests = [...Object.values(groups).flat(), ...harmless, 'POST /books/_search\n{"query":{"match_all":{}}}']
	const seeds = fc.infiniteStream(fc.nat({ max: 1000 }))
	fc.assert(
		fc.property(fc.constantFrom(...requests), seeds, (text, stream) => {
			const other = respelt(text, ways => Number(stream.next().value) % ways)
			expect(access(other), other).toBe(access(text))
		}),
		{ numRuns: 2000 },
	)
})
