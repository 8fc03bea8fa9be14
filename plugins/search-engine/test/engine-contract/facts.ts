import { expect, test } from 'vitest'
import { call } from '../fixture.ts'
import type { EngineUnderTest } from './subject.ts'

/** Contract of facts about the cluster and a table. Data streams are part of X-Pack, which not every node has. */
export function describeFacts(engine: EngineUnderTest) {
	test('reads facts about the cluster and an index', async () => {
		const cluster = await engine.connection.readFacts(undefined, call())
		const refused = (sections: typeof cluster) =>
			sections.filter(({ title, notice = '' }) => title !== 'Data streams' && notice.includes('error'))
		const empty = (title: string) => cluster.find(section => section.title === title)?.notice
		expect([empty('Ingest pipelines'), empty('Snapshot repositories')]).toEqual(['There are none.', 'There are none.'])
		expect(refused(cluster)).toEqual([])
		const nodes = cluster.find(({ title }) => title === 'Nodes')
		expect(nodes?.list?.rows).toHaveLength(1)
		expect(nodes?.list?.rows[0]?.cells.every(cell => cell !== '')).toBe(true)
		const index = await engine.connection.readFacts(engine.largeTable, call())
		expect(refused(index)).toEqual([])
		const facts = new Map(index.flatMap(({ facts = [] }) => facts.map(({ name, value }) => [name, value])))
		expect(facts.get('Lucene documents')).toBe('10500')
		expect(facts.get('index.number_of_shards')).toBe('1')
	})
}
