import type { Explained } from '@roundhouse/kit'
import type { Query, Session } from '../wire/session.ts'
export async function explain(
	_session: Session,
	_asked: { readonly query: Query; readonly isPlanOnly: boolean },
	_signal: AbortSignal,
): Promise<Explained> {
	throw new Error('later')
}
