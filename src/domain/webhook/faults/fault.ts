import type * as z from 'zod'
import type { Plain } from '../../text/objects.ts'
import type { Problem } from '../../text/problems.ts'
import type { Recipe } from '../recipe.ts'
import type { OneSignature } from '../signed-headers.ts'

/** One kind of fault of webhook attempts. Its file holds everything about it: the fields, the effect, and the
 *  sentence of the dashboard. */
export interface WebhookFault<Stored extends z.ZodRawShape, Written extends z.ZodRawShape> {
  /** Schemas of the fault's fields in a delivery's plan: as stored, as shown by the control API, and as in
   *  snapshots. */
  readonly stored: Stored
  /** Schemas of the fault's fields in scenario files and control calls; empty if only the emulator's own code plans
   *  the fault. */
  readonly written: Written
  /** Turns the fields that people write into stored fields. */
  readonly read: (written: z.output<z.ZodObject<Written>>) => Plain<z.ZodObject<Stored>>
  /** Finds contradictions between the written fields. */
  readonly problems?: (written: z.output<z.ZodObject<Written>>) => readonly Problem[]
  /** Describes an attempt with this fault for people; empty if the fields say nothing. */
  readonly sentences: (fault: Plain<z.ZodObject<Stored>>) => readonly string[]
  /** Changes the secrets or the time of the signature, or omits it. */
  readonly signing?: (signing: Signing, fault: Plain<z.ZodObject<Stored>>) => Signing
  /** Changes the headers of an attempt, after signing. */
  readonly headers?: (headers: Headers, fault: Plain<z.ZodObject<Stored>>) => Headers
  /** Changes the bytes of the body, after signing. */
  readonly body?: (body: WireBody, fault: Plain<z.ZodObject<Stored>>) => WireBody
}

/** The secrets that a webhook can be signed with: the client's current one, the one before the last rotation (N70),
 *  and one that the client never had. */
export const secretNames = ['current', 'previous', 'foreign'] as const
export type SecretName = (typeof secretNames)[number]

/** The inputs of the signatures of an attempt. */
export interface Signing {
  readonly secrets: Readonly<Record<SecretName, string>>
  /** The signatures, in the order in which the header lists them. */
  readonly signatures: readonly OneSignature[]
  /** How the signatures are made. */
  readonly recipe: Recipe
  /** Milliseconds added to the signed timestamp; negative for the past. */
  readonly shiftMs: number
  /** False if the attempt carries no signature at all. */
  readonly signed: boolean
}

export type Headers = Readonly<Record<string, string>>

/** A webhook body on the wire. If fewer bytes are sent than announced, the connection breaks. */
export interface WireBody {
  readonly sent: Buffer
  /** The value of the header `content-length`. */
  readonly announced: number
}

/** Declares a fault of webhooks, with types inferred from its fields. */
export const webhookFault = <Stored extends z.ZodRawShape, Written extends z.ZodRawShape>(
  fault: WebhookFault<Stored, Written>,
): WebhookFault<Stored, Written> => fault
