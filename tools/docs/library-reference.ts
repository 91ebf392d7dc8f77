import { readFileSync } from 'node:fs'
import ts from '@typescript/typescript6'
import type * as z from 'zod'
import { checkoutRequest, subscriptionRequest } from '../../src/api/contract/requests.ts'
import { clientPatch, newClient, rotation, tokenExpiry } from '../../src/control/calls/clients.ts'
import { makeOrderRequest, payRequest, refundRequest } from '../../src/control/calls/orders.ts'
import { nextRequest } from '../../src/control/calls/scenarios.ts'
import { verifyRequest } from '../../src/control/calls/verify.ts'
import { sendRequest } from '../../src/control/send-delivery.ts'
import { clockPace } from '../../src/domain/client/client.ts'
import { faultRequest } from '../../src/domain/faults/planned-fault-text.ts'
import { inputSchema, schemaFields } from './schema-fields.ts'
import { table } from './table.ts'

/** The parts of the page: which declarations of which file of `src`. */
const parts = {
  functions: {
    'testing/start-emulator.ts': ['startEmulator', 'StartOptions'],
    'testing/connect-emulator.ts': ['connectEmulator', 'ConnectOptions'],
    'webhooks/receiving-function.ts': ['WebhookFetch'],
  },
  emulator: { 'testing/test-emulator.ts': ['TestEmulator'] },
  client: {
    'testing/test-client.ts': ['TestClient'],
    'testing/service-api.ts': [
      ...['CreateOptions', 'NewCheckout', 'NewSubscription', 'NewSimulation', 'ServiceRequest'],
    ],
    'testing/transport.ts': ['Reply'],
    'testing/orders.ts': ['RequestName'],
  },
  both: {
    'testing/controls.ts': ['Controls', 'SettingChanges'],
    'testing/control-api.ts': ['ControlCallOptions', 'Query', 'EventStream', 'EmulatorEvent'],
  },
  clock: { 'testing/clock.ts': ['TestClock', 'WalkOptions', 'ClientLedger'] },
  orders: { 'testing/orders.ts': ['Orders', 'OrderName'] },
  scenarios: { 'testing/scenarios.ts': ['Scenarios', 'ExplainOptions'] },
  faults: { 'testing/controls.ts': ['Faults'] },
  deliveries: { 'testing/records.ts': ['Deliveries'] },
  requests: {
    'testing/records.ts': ['Requests', 'Expected', 'Filter', 'WhereOf', 'Wanted', 'Watched'],
  },
  inbox: {
    'testing/inbox/webhook-inbox.ts': ['WebhookInbox'],
    'testing/inbox/options.ts': ['InboxOptions', 'InboxWait'],
    'testing/inbox/selection.ts': ['InboxWhere', 'WantedSignature'],
    'testing/inbox/received-webhook.ts': ['ReceivedWebhook'],
    'testing/inbox/answers.ts': ['Answering', 'InboxAnswer'],
  },
  learning: {
    'learn/learning.ts': ['learn', 'drift', 'learnStory'],
    'learn/learned-captures.ts': ['LearnOptions', 'LearnedCaptures'],
    'learn/report/report.ts': ['LearnReport', 'ReportedSetting', 'ReportedRest', 'DriftReport'],
    'learn/drift.ts': ['CheckedSetting'],
    'learn/story/story.ts': ['Story'],
  },
  stories: {
    'conform/index.ts': ['explore', 'playStories'],
    'conform/explore/options.ts': ['ExploreOptions'],
    'conform/explore/report.ts': ['ExploreReport', 'FoundStory', 'Stopped'],
    'conform/stories/story.ts': ['StepText'],
    'conform/stories/listed-stories.ts': ['StorySource', 'StoryInWords'],
    'conform/stories/play-stories.ts': ['StoryOptions'],
    'conform/stories/report/report.ts': ['StoryReport', 'StoryResult', 'BrokenPromise'],
    'conform/stories/story-tests.ts': ['StoryTests', 'StoryFailed'],
  },
  errors: {
    'testing/errors.ts': [
      ...['ServiceCallRefused', 'ControlCallRefused', 'NotAsExpected', 'EmulatorNotStarted'],
      ...['EmulatorUnreachable', 'WebhookMissing', 'UnexpectedWebhook', 'InboxNotOpened', 'FetchRefused'],
    ],
  },
} as const

/** The variable that a caller uses for an instance of each class. */
const written: Readonly<Record<string, string>> = {
  TestEmulator: 'emulator',
  TestClient: 'client',
  Controls: 'client',
  TestClock: 'client.clock',
  Orders: 'client.orders',
  Scenarios: 'client.scenarios',
  Faults: 'client.faults',
  Deliveries: 'client.deliveries',
  Requests: 'client.requests',
  WebhookInbox: 'inbox',
  EventStream: 'events',
  StoryTests: 'stories',
}

/** Types of the library's own declarations that stand for one of these. */
const typeNames: Readonly<Record<string, string>> = {
  Walked: 'Ledger',
  Reading: 'Clock',
  'Watched[Kind]': 'Order | Delivery | JournalEntry',
  'WhereOf<Watched[Kind]>': 'WhereOf',
  'keyof Watched': "'order' | 'delivery' | 'request'",
  Kind: "'order' | 'delivery' | 'request'",
  Decide: '((webhook: ReceivedWebhook) => InboxAnswer | Promise<InboxAnswer>)',
}

/** Bodies that are checked by the schemas of both APIs. */
const requests: Readonly<Record<string, z.ZodType>> = {
  NewClient: newClient,
  ClientPatch: clientPatch,
  SecretRotation: rotation,
  TokenExpiry: tokenExpiry,
  ClockPace: clockPace,
  NewOrder: makeOrderRequest,
  Payment: payRequest,
  RefundRequest: refundRequest,
  NextScenario: nextRequest,
  FaultRequest: faultRequest,
  HandMadeDelivery: sendRequest,
  VerifyRequest: verifyRequest,
  CheckoutRequest: checkoutRequest,
  SubscriptionRequest: subscriptionRequest,
}

/** The parts that follow from the declarations, and the fields of request bodies. */
export const libraryParts: readonly { readonly marker: string; readonly render: () => string }[] = [
  ...Object.entries(parts).map(([marker, files]) => ({
    marker,
    render: () => `\n${Object.entries(files).flatMap(declarationsOf).join('\n')}\n`,
  })),
  {
    marker: 'bodies',
    render: () =>
      `\n${Object.entries(requests)
        .map(
          ([name, schema]) =>
            `### \`${name}\`\n\n${table(['Field', 'Type', 'Meaning'], schemaFields(inputSchema(schema)))}`,
        )
        .join('\n')}\n`,
  },
]

function declarationsOf([file, names]: [string, readonly string[]]): string[] {
  const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  return names.map((name) => {
    const found = source.statements.find((each) => nameOf(each) === name)
    if (found === undefined) throw new Error(`${file} declares no ${name}`)
    return `### \`${name}\`\n\n${declarationText(found)}`
  })
}

const nameOf = (node: ts.Node): string | undefined =>
  ts.isFunctionDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node)
    ? node.name?.text
    : undefined

function declarationText(node: ts.Node): string {
  const words = documented(node)
  if (ts.isFunctionDeclaration(node)) return `${code(signature(node, nameOf(node) ?? ''))}\n\n${words}\n`
  if (ts.isTypeAliasDeclaration(node)) return aliasText(node, words)
  if (ts.isInterfaceDeclaration(node)) return withTable(words, ['Field', 'Type', 'Meaning'], fieldsOf(node))
  if (!ts.isClassDeclaration(node)) throw new Error(`cannot describe a ${ts.SyntaxKind[node.kind]}`)
  const instance = written[nameOf(node) ?? '']
  return instance === undefined
    ? withTable(words, ['Field', 'Type', 'Meaning'], fieldsOf(node))
    : withTable(words, ['Call', 'Does'], callsOf(node, instance))
}

/** A type alias as it is declared. Of a generic or mapped type only its documented fields mean anything to a reader. */
function aliasText(node: ts.TypeAliasDeclaration, words: string): string {
  if (node.typeParameters === undefined && !ts.isMappedTypeNode(node.type))
    return `${words}\n\n\`\`\`typescript\n${declared(node)}\n\`\`\`\n`
  const parts = ts.isIntersectionTypeNode(node.type) ? node.type.types : [node.type]
  return withTable(
    words,
    ['Field', 'Type', 'Meaning'],
    parts.flatMap((part) => (ts.isTypeLiteralNode(part) ? fieldsOf(part) : [])),
  )
}

const withTable = (words: string, head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0 ? `${words}\n` : `${words}\n\n${table(head, rows)}`

/** The fields of an interface or a type, or the documented ones of an error and of what it extends. */
function fieldsOf(node: ts.InterfaceDeclaration | ts.ClassDeclaration | ts.TypeLiteralNode): string[][] {
  const own = [...node.members].flatMap((each) => {
    const isField =
      ts.isPropertySignature(each) || ts.isPropertyDeclaration(each) || ts.isGetAccessorDeclaration(each)
    if (!isField || !ts.isIdentifier(each.name) || (ts.isClassDeclaration(node) && documented(each) === ''))
      return []
    return [[`\`${each.name.text}\``, code(typeText(each.type)), documented(each)]]
  })
  const base = ts.isClassDeclaration(node) ? baseOf(node) : undefined
  return base === undefined ? own : [...fieldsOf(base), ...own]
}

/** The class in the same file that a class extends. */
function baseOf(node: ts.ClassDeclaration): ts.ClassDeclaration | undefined {
  const [extended] = node.heritageClauses?.flatMap(({ types }) => [...types]) ?? []
  const found = node
    .getSourceFile()
    .statements.find((each) => nameOf(each) === extended?.expression.getText())
  return found !== undefined && ts.isClassDeclaration(found) ? found : undefined
}

/** The documented calls and properties of a class, as a caller writes them. */
function callsOf(node: ts.ClassDeclaration, instance: string): string[][] {
  return node.members.flatMap((each) => {
    const name = each.name !== undefined && ts.isIdentifier(each.name) ? each.name.text : 'toJSON'
    const words = documented(each)
    if (name === 'toJSON') return []
    if (words === '') return undocumented(each, name)
    if (ts.isMethodDeclaration(each)) return [[code(signature(each, `${instance}.${name}`)), words]]
    if (!ts.isPropertyDeclaration(each) && !ts.isGetAccessorDeclaration(each)) return []
    return [[code(`${instance}.${name}: ${typeText(each.type)}`), words]]
  })
}

/** Leaves out groups of calls, which have sections of their own, and overrides, which the base class describes.
 *  @throws Error for a public method without a docstring */
function undocumented(node: ts.ClassElement, name: string): [] {
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : []
  const isOverride = modifiers.some(({ kind }) => kind === ts.SyntaxKind.OverrideKeyword)
  if (ts.isMethodDeclaration(node) && !isOverride) throw new Error(`${name} has no docstring`)
  return []
}

function signature(node: ts.FunctionDeclaration | ts.MethodDeclaration, name: string): string {
  const given = node.parameters.map((each) => {
    // Docstrings call a destructured parameter `options`.
    const called = ts.isIdentifier(each.name) ? each.name.text : 'options'
    const rest = each.dotDotDotToken === undefined ? '' : '...'
    const mark = each.initializer !== undefined || each.questionToken !== undefined ? '?' : ''
    return `${rest}${called}${mark}: ${typeText(each.type)}`
  })
  return `${name}(${given.join(', ')}): ${typeText(node.type)}`
}

/** A type in a line, without `readonly` and `| undefined`. */
function typeText(node: ts.TypeNode | undefined): string {
  const text = (node?.getText() ?? 'unknown')
    .replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
    .replaceAll(/\breadonly | \| undefined/g, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/^\| /, '')
  return known(text)
}

const known = (text: string): string =>
  Object.entries(typeNames).reduce(
    (result, [name, meaning]) =>
      result.replaceAll(new RegExp(`(?<![\\w'])${escaped(name)}(?![\\w\\[<'])`, 'g'), meaning),
    text,
  )

/** Code in a line, which may have backticks of its own. */
const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

const escaped = (text: string): string => text.replaceAll(/[[\]<>]/g, '\\$&')

const declared = (node: ts.Node): string =>
  known(
    node
      .getText()
      .replace(/^export /, '')
      .replaceAll(/ *\/\*\*[\s\S]*?\*\/\n/g, '')
      .replaceAll(/\breadonly | \| undefined/g, ''),
  )

/** A docstring in one line: its text, its parameters, what it returns, and what it throws. */
function documented(node: ts.Node): string {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  if (doc === undefined) return ''
  const tags = (doc.tags ?? []).map((tag) => {
    const words = line(tag.comment)
    if (ts.isJSDocParameterTag(tag)) return `\`${tag.name.getText()}\`: ${sentence(words)}`
    if (ts.isJSDocReturnTag(tag)) return `Returns ${sentence(words)}`
    if (ts.isJSDocThrowsTag(tag)) return `Throws ${sentence(words.replace(/^\w+/, '`$&`'))}`
    throw new Error(`cannot describe @${tag.tagName.text}`)
  })
  return [line(doc.comment), ...tags].join(' ').trim()
}

const line = (comment: Parameters<typeof ts.getTextOfJSDocComment>[0]): string =>
  (ts.getTextOfJSDocComment(comment) ?? '').replaceAll(/\s+/g, ' ').trim()

const sentence = (words: string): string => (/[.!?]$/.test(words) ? words : `${words}.`)
