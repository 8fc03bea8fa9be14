import { z } from 'zod'
import type { ActivityLog } from '../../activity/activity-log.ts'
import { verifyActivity } from '../../activity/activity-log.ts'
import type { ConnectedClients } from '../../activity/connected-clients.ts'
import type { SupportDirectory } from '../../base/support-directory.ts'
import type { Methods } from './method.ts'

/** The window shows the newest; the file holds the rest. */
const mostShown = 2000

export const activityMethods = (
	activity: ActivityLog,
	clients: ConnectedClients,
	support: SupportDirectory,
): Methods<Extract<keyof Methods, `activity.${string}`>> => ({
	'activity.list': { params: z.object({}), run: async () => activity.list().slice(0, mostShown) },
	'activity.verify': {
		params: z.object({}),
		run: async () => {
			await activity.flush()
			return verifyActivity(support)
		},
	},
	'activity.clients': { params: z.object({}), run: async () => clients.list() },
})
