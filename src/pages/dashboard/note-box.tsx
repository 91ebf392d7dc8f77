import { curlOf } from './action.ts'
import { Curl } from './form.tsx'
import { LongText } from './long-text.tsx'
import { isGood, type Note, refusalWords } from './notes.ts'
import { Outcome } from './outcome.tsx'
import type { Shell } from './view.ts'

/** What the button did that led here. Its place is always there: screen readers announce what comes into it. */
export function NoteBox({ shell }: { shell: Shell }) {
  return (
    <div id="note" aria-live="polite">
      {shell.note === null ? null : <NoteOf note={shell.note} shell={shell} />}
    </div>
  )
}

function NoteOf({ note, shell }: { note: Note; shell: Shell }) {
  const { action, status, text } = note
  const good = isGood(note)
  return (
    <section class={`note ${good ? 'good' : 'bad'}`} aria-label="Result of the action">
      <p>
        <strong>{good ? 'Done.' : 'Refused.'}</strong> {good ? null : refusalWords(text)}
        {action === null ? null : (
          <>
            {' '}
            <code>
              {action.method} /_emulator{action.path}
            </code>{' '}
            answered {status}.
          </>
        )}
      </p>
      <Outcome note={note} shell={shell} />
      {action === null ? null : (
        <div class="note-more">
          {text === '' ? null : (
            <details id="note-answer">
              <summary>Answer</summary>
              <LongText id="note-text" text={indented(text)} />
            </details>
          )}
          <Curl text={curlOf(action, shell.origin, shell.asksForToken)} id="note-curl" />
        </div>
      )}
      <button type="button" class="scripted-only close" id="note-close" aria-label="Close this note">
        ×
      </button>
    </section>
  )
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
