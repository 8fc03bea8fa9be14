import type { ConsoleResult, ResultBody, ResultPart } from '../../host/api/api.ts'

/** A result that is shown as a table. */
export type ResultRows = Extract<ResultBody, { readonly view: 'rows' }>

export type ResultView = 'rows' | 'chart' | 'json' | 'text'

/** A result and, for the first of a statement, the whole answer. */
export type Answer = ResultPart & Pick<ConsoleResult, 'raw' | 'rawCutFrom'>

/** The views of a result, the initial one first (contract, part B, "Console output"). */
export function viewsOf({ body, raw }: Answer): readonly ResultView[] {
	if (body.view !== 'rows') return [body.view]
	const chart: readonly ResultView[] = body.chart ? ['chart'] : []
	return ['rows', ...chart, ...(raw ? [body.rawView ?? ('json' as const)] : [])]
}

/** The whole answer as it came. */
export function answerOf({ body, raw }: Answer): Uint8Array {
	if (raw) return raw
	return new TextEncoder().encode(body.view === 'json' ? body.json : body.view === 'text' ? body.text : '')
}
