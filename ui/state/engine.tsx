import { createContext, type JSX, useContext } from 'solid-js'
import type { Manifest } from '../../host/api/api.ts'

/** The engine's terms, who assigns row keys, and the console's language, from the driver's manifest. */
export type Engine = Pick<
	Manifest,
	| 'tableNoun'
	| 'rowNoun'
	| 'columnNoun'
	| 'rowKey'
	| 'rawQuery'
	| 'console'
	| 'hasFacts'
	| 'hasObjects'
	| 'hasReferences'
	| 'hasTableActions'
	| 'hasTableForm'
	| 'removesFields'
	| 'hasJsonNull'
	| 'wrappedRow'
	| 'savesWhole'
	| 'exports'
	| 'imports'
>

const EngineContext = createContext<Engine>()

/** The engine that a part of the window is about. */
export function EngineProvider(props: { readonly engine: Engine; readonly children: JSX.Element }): JSX.Element {
	return <EngineContext.Provider value={props.engine}>{props.children}</EngineContext.Provider>
}

/** The engine's nouns, or those of most engines in a part of the window that is about none. */
export const useNouns = (): Pick<Engine, 'tableNoun' | 'rowNoun'> => useContext(EngineContext) ?? usualNouns
const usualNouns = { tableNoun: { one: 'Table', many: 'Tables' }, rowNoun: { one: 'row', many: 'rows' } }

export function useEngine(): Engine {
	const engine = useContext(EngineContext)
	if (!engine) throw new Error('this component is not inside EngineProvider')
	return engine
}
