import { afterAll, beforeAll, describe } from 'vitest'
import { describeActions } from './actions.ts'
import { describeAggregates } from './aggregates.ts'
import { describeAnswers } from './answers.ts'
import { describeByQuery } from './by-query.ts'
import { describeConsole } from './console.ts'
import { describeCosts } from './costs.ts'
import { describeEdits } from './edits.ts'
import { describeExplains } from './explains.ts'
import { describeExports } from './exports.ts'
import { describeFacts } from './facts.ts'
import { describeFilters } from './filters.ts'
import { describeGrid } from './grid.ts'
import { describeHeldPages } from './held-pages.ts'
import { describeKibanaQueries } from './kibana-queries.ts'
import { describeLargeValues } from './large-values.ts'
import { describeNarrowWindow } from './narrow-window.ts'
import { describePanels } from './panels.ts'
import { describeRedIndex, describeRefusals } from './refusals.ts'
import { type Engine, EngineUnderTest } from './subject.ts'
import { describeTyped } from './typed.ts'
import { describeUnlikeIndices } from './unlike-indices.ts'
import { describeUntouched } from './untouched.ts'
import { describeVectorSearch, describeVectors } from './vectors.ts'
import { describeWideTables } from './wide-tables.ts'

/**
 * Tests of what the driver expects from an engine. They run on any cluster: on the sample in every test run, and on real
 * Elasticsearch nodes if available. If they disagree, the sample is wrong.
 */
export function describeEngine(name: string, open: () => Promise<Engine>, { isReal = false } = {}) {
	describe(name, () => {
		const subject = new EngineUnderTest(open)
		beforeAll(() => subject.open())
		afterAll(() => subject.close())

		describeConsole(subject, { isReal })
		describeTyped(subject, { isReal })
		describeGrid(subject)
		describeHeldPages(subject)
		describeFilters(subject)
		describeKibanaQueries(subject)
		describeUnlikeIndices(subject)
		describeWideTables(subject)
		describeLargeValues(subject)
		describeNarrowWindow(subject, { isReal })
		describeEdits(subject)
		describeVectors(subject)
		describeUntouched(subject)
		describeExports(subject)
		describeAggregates(subject)
		describeExplains(subject)
		describeCosts(subject)
		describeAnswers(subject)
		describeFacts(subject)
		describeRefusals(subject)
		if (!isReal) return
		describeRedIndex(subject)
		describeActions(subject)
		describeByQuery(subject)
		describeVectorSearch(subject)
		describePanels(subject)
	})
}
