import { createContext, type JSX, useContext } from 'solid-js'
import type { HostConnection } from '../api/client.ts'
import type { PreferenceStore } from './preferences.ts'
import type { Records } from './records.ts'

/** What every part of the window can use. */
interface Shared {
	readonly host: HostConnection
	readonly preferences: PreferenceStore
	readonly records: Records
}

const SharedContext = createContext<Shared>()

export function HostProvider(props: Shared & { readonly children: JSX.Element }): JSX.Element {
	return (
		<SharedContext.Provider value={{ host: props.host, preferences: props.preferences, records: props.records }}>
			{props.children}
		</SharedContext.Provider>
	)
}

function useShared(): Shared {
	const shared = useContext(SharedContext)
	if (!shared) throw new Error('this component is not inside HostProvider')
	return shared
}

export const useHost = (): HostConnection => useShared().host
export const useRecords = (): Records => useShared().records
export const usePreferences = (): PreferenceStore => useShared().preferences
