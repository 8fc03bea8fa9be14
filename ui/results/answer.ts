import type { ConsoleResult } from '../../host/api/api.ts'

/** A result that is shown as a table. */
export type ResultRows = Extract<ConsoleResult['body'], { readonly view: 'rows' }>

export type ResultView = 'rows' | 'chart' | 'json' | 'text'

/** The views of a result, the initial one first (contract, part B, "Console output"). */
export function viewsOf({ body, raw }: ConsoleResult): readonly ResultView[] {
	if (body.view !== 'rows') return [body.view]
	return ['rows', ...(body.chart ? ['chart' as const] : []), ...(raw ? ['json' as const] : [])]
}

/** The whole answer as it came. */
export function answerOf({ body, raw }: ConsoleResult): Uint8Array {
	if (raw) return raw
	return new TextEncoder().encode(body.view === 'json' ? body.json : body.view === 'text' ? body.text : '')
}
