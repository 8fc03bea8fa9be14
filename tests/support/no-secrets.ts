import type { SecretStore } from '../../host/connections/secrets.ts'

/** For connections whose forms have no secret fields. */
export const noSecrets: SecretStore = {
	description: '',
	get: async () => undefined,
	set: async () => {},
	delete: async () => {},
}
