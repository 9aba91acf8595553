// A lint rule against reading the clock: `new Date()` and `Date()` read it, `Date.parse(text)` and
// `new Date(ms)` do not.

const clock = {
  create(context) {
    const check = (node, readsClock) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && readsClock)
        context.report({ node, message: 'this floor is pure: time is an argument.' });
    };
    return {
      NewExpression: (node) => check(node, node.arguments.length === 0),
      CallExpression: (node) => check(node, true),
    };
  },
};

export default { meta: { name: 'dacapo' }, rules: { 'no-clock': clock } };
