import { defineErrors } from '../../base/errors.ts'

/** Errors of connections for a driver. The driver's own error describes the consequence for the user. */
export const networkErrors = defineErrors('network', {
	forbidden: 'No driver may reach {address}: {reason}.',
	not_allowed: '{driver} was not allowed to reach {address}.',
	nobody_to_ask:
		'{driver} wants to reach {address}, which the connection does not name, and no Roundhouse window was open to allow it. Open the window, then try again.',
	socket_refused: 'The Unix socket {path} was not opened: {reason}.',
	too_many_questions:
		'{driver} asks for too many addresses, so Roundhouse did not ask you about {address}. Add it to the connection, or close the connection and open it again.',
	no_network: 'The manifest of {driver} declares no network access, so its connections are refused.',
	proxy_invalid: 'The proxy {proxy} cannot be used: write http://host:port, socks5://host:port or socks4://host:port.',
	ssh_failed: 'The SSH tunnel to {destination} could not be used. The window of Roundhouse says why.',
	ssh_unattended:
		'ssh needs an answer for {destination}, and no window and no terminal of Roundhouse was there to ask in. Open the window, or run the command in a terminal, then try again.',
	ssh_step: 'SSH to {destination} could not {step}: {reason}',
	no_ssh: '{driver} takes no SSH tunnel. Remove it from the connection.',
	ssh_socket: 'A Unix socket is not reached through SSH. Give the host and the port.',
	proxy_refused: 'The proxy {proxy} did not connect to {address}: {reason}.',
})
