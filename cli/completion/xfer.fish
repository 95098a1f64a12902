# Completion of xfer for fish, made by: xfer completion fish
function __xfer_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    for line in (command xfer __complete $before[2..] "$current" 2>/dev/null)
        if string match -q -- ':files*' $line
            set -l option (string match -r -- '^--[^=]*=' "$current")
            for path in (__fish_complete_path (string replace -- "$option" '' "$current"))
                echo $option$path
            end
        else
            echo $line
        end
    end
end
complete -c xfer -f -a '(__xfer_complete)'
