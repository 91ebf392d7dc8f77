/** Text with paragraphs and `code`, the only Markdown in descriptions. */
export const Prose = ({ text }: { text: string }) => (
  <>
    {text.split('\n\n').map((paragraph) => (
      <p>
        <Inline text={paragraph} />
      </p>
    ))}
  </>
)

/** Text with `code` on one line. */
export const Inline = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
)
