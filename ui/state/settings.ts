import type { SettingChange, WindowSettings } from '../../host/api/api.ts'
import { useHost } from './host.tsx'
import { createReading, createTask, type Task } from './task.ts'

/** The settings of the host, as a section of the window reads and changes them. */
export interface Settings {
	readonly reading: Task<readonly [], WindowSettings>
	/** Writes one setting, then reads all of them. */
	readonly writing: Task<readonly [SettingChange], void>
}

export function createSettings(): Settings {
	const host = useHost()
	const reading = createReading(call => host.call('settings.read', {}, call))
	const writing = createTask(async (_, change: SettingChange) => {
		await host.call('settings.write', change)
		await reading.run()
	})
	return { reading, writing }
}
