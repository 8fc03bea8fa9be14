import { z } from 'zod'
import type { ActivityLog } from '../../activity/activity-log.ts'
import type { ConnectedClients } from '../../activity/connected-clients.ts'
import { method } from './method.ts'

/** The window shows the latest entries; the files hold the rest. */
const mostShown = 2000

export const activityMethods = (activity: ActivityLog, clients: ConnectedClients) => ({
	/** The latest first. */
	'activity.list': method({ params: z.object({}), run: () => activity.newest(mostShown) }),
	/** Verifies the log's hash chain on disk. */
	'activity.verify': method({ params: z.object({}), run: () => activity.verify() }),
	'activity.clients': method({ params: z.object({}), run: async () => clients.list() }),
})
