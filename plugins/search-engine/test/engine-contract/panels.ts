import { isJsonObject } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { panelsOf } from '../../console/panels.ts'
import type { EngineUnderTest } from './subject.ts'

/** For real clusters only: the sample neither measures nor explains. */
export function describePanels(engine: EngineUnderTest) {
	test('shows profile, explanation and suggestions as panels', async () => {
		const suggest = { spelling: { text: 'quikc', term: { field: 'title', suggest_mode: 'always' } } }
		const asked = { query: { match: { title: 'quick' } }, profile: true, explain: true, suggest }
		const { body } = await engine.request('POST', `/${engine.table}/_search`, asked)
		const { panels, shown } = panelsOf(body)
		expect(shown).toEqual(['suggest', 'profile'])
		expect(panels.map(({ title }) => title.replace(/ (shard|[a-z]) .*/, ''))).toContain('Suggestions')
		for (const { title, list } of panels) expect(list?.rows.length, title).toBeGreaterThan(0)
		const one = await engine.request('POST', `/${engine.table}/_explain/a`, { query: { match: { title: 'quick' } } })
		expect(isJsonObject(one.body) && panelsOf(one.body).panels[0]?.title).toBe('Why a matches')
	})
}
