// What reads received webhooks, with the schemas of all settings: loaded with the first webhook.
export { readReceived } from '../../webhooks/event-reader.ts'
export { Verifier } from '../../webhooks/verifier.ts'
