import { createContext, type JSX, useContext } from 'solid-js'
import type { HostConnection } from '../api/client.ts'

const HostContext = createContext<HostConnection>()

export function HostProvider(props: { readonly host: HostConnection; readonly children: JSX.Element }): JSX.Element {
	return <HostContext.Provider value={props.host}>{props.children}</HostContext.Provider>
}

export function useHost(): HostConnection {
	const host = useContext(HostContext)
	if (!host) throw new Error('useHost is called outside of HostProvider')
	return host
}

/** What to tell the person of anything that was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error)
}
