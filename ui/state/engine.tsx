import { createContext, type JSX, useContext } from 'solid-js'
import type { Manifest } from '../../host/ui-server/api.ts'

/** What an engine calls its things, who keys its rows, and what its console reads: the words of its driver's manifest. */
export type Engine = Pick<Manifest, 'tableNoun' | 'rowNoun' | 'rowKey' | 'rawQuery' | 'console' | 'hasFacts'>

const EngineContext = createContext<Engine>()

/** The engine that a part of the window is about. */
export function EngineProvider(props: { readonly engine: Engine; readonly children: JSX.Element }): JSX.Element {
	return <EngineContext.Provider value={props.engine}>{props.children}</EngineContext.Provider>
}

export function useEngine(): Engine {
	const engine = useContext(EngineContext)
	if (!engine) throw new Error('this part of the window stands outside of EngineProvider')
	return engine
}
