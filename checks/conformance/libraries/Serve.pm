package Serve;

# What the adapters in Perl share: they read requests, and respond to each.

use strict;
use warnings;
use JSON::PP;

my $json = JSON::PP->new->ascii->canonical;
my $decoder = JSON::PP->new->utf8;

# By task, a function of input and notation; it returns undef for what the library does not promise.
sub serve {
    my (%answers) = @_;
    $| = 1;
    while (my $line = <STDIN>) {
        my $request = $decoder->decode($line);
        my $answer = $answers{ $request->{task} };
        my $output = $answer ? $answer->($request->{input}, $request->{notation}) : undef;
        my %response = defined $output ? (output => $output) : (unsupported => JSON::PP::true);
        print $json->encode({ id => $request->{id}, %response }), "\n";
    }
}

1;
